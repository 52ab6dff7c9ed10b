/// What is done about answers that come from the network; all of it is the fix, none of it the bug.
package struct AnswerCare: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Answers are brought to the main queue before anything is done with them.
  package static let hops = AnswerCare(rawValue: 1)
  /// An answer that a state has asked for is ignored once that state was left.
  package static let ignoresLate = AnswerCare(rawValue: 2)
  /// What comes while nobody sees the app waits until somebody does.
  package static let waitsForFront = AnswerCare(rawValue: 4)

  /// The whole fix.
  package static let full: AnswerCare = [.hops, .ignoresLate, .waitsForFront]
}
