/// A stack of a crash or of a picture, or the places of a finding.
package struct EvidenceStack: Sendable {
  package struct Frame: Sendable {
    package var function: String
    package var file: String?
    package var line: Int?

    package init(function: String, file: String?, line: Int?) {
      self.function = function
      self.file = file
      self.line = line
    }
  }

  /// The thread or task with its activity: `thread 4711 is sleeping`, `task 7 waits for a
  /// continuation`.
  package var what: String
  /// The kernel ids of the threads with this stack; empty for tasks.
  package var threads: [Int]
  /// True for tasks that wait for their turn on an executor, which other code occupies.
  package var waitsForTurn = false
  package var frames: [Frame]
  /// The innermost place in the program's own code.
  package var place: String?

  package init(what: String, threads: [Int] = [], frames: [Frame], place: String? = nil) {
    self.what = what
    self.threads = threads
    self.frames = frames
    self.place = place
  }
}

/// The analyzer's report on a crash or on a hung process.
package struct Explanation: Sendable {
  package var verdict: Verdict
  /// The text of the verdict, laid out for the terminal.
  package var report: String
  /// The stacks that the findings name. The crash or hang is attributed to the tests of these
  /// stacks.
  package var blamed: [EvidenceStack]
  /// All other stacks.
  package var others: [EvidenceStack]
  /// True if a finding shows that the process cannot continue.
  package var isProof: Bool
  /// The findings about a hung process without their text, the most important first, each with the
  /// stacks that have its places; empty for a crash.
  package var causes: [(verdict: Verdict, stacks: [EvidenceStack])]
  /// True if a task of the process sleeps.
  package var sleeps: Bool

  /// Creates an explanation without stacks.
  package init(title: String, text: String = "") {
    self.init(
      verdict: Verdict(title: title, text: text), report: text, blamed: [], others: [],
      isProof: false, causes: [], sleeps: false)
  }

  package init(
    verdict: Verdict, report: String, blamed: [EvidenceStack], others: [EvidenceStack],
    isProof: Bool, causes: [(verdict: Verdict, stacks: [EvidenceStack])], sleeps: Bool
  ) {
    self.verdict = verdict
    self.report = report
    self.blamed = blamed
    self.others = others
    self.isProof = isProof
    self.causes = causes
    self.sleeps = sleeps
  }
}
