import IncidentModel
import CLogFormat

/// A rule, which observes the events of an input once, in the order of time, and reports findings
/// to the run.
///
/// A rule is a fold. Its state must be proportional to its findings, never to its events. A rule
/// receives the events of the kinds in its interest, then the end of the input, once. Its findings
/// depend only on the input.
protocol Rule: AnyObject {
  static var about: RuleDescription { get }

  /// The kinds of events that the analyzer passes to `observe`.
  var interest: Interest { get }

  init()

  func observe(_ event: Event, in run: RunState)

  /// Called at the end of the input, when facts are available that the source knows only then.
  func finish(in run: EndedRun)
}

extension Rule {
  func observe(_ event: Event, in run: RunState) {}
  func finish(in run: EndedRun) {}
}

/// The description of a rule, for `crashscan rules`, the docs and the help in reports.
package struct RuleDescription: Sendable {
  /// The stable identifier, which scripts use.
  package let id: String
  /// The severity of the rule's findings, unless a finding overrides it.
  package let severity: Severity
  /// The condition that the rule finds, in a few words.
  package let title: String
  /// The exact condition under which the rule fires.
  package let firesWhen: String
  /// The usual reasons for the defect, and its effects.
  package let cause: String
  /// The evidence for the defect in an input.
  package let evidence: String
  /// The recommended fix.
  package let fix: String
  /// Example code for which the rule fires.
  package let triggers: String
  /// Example code for which the rule does not fire.
  package let spares: String
  /// The language of the two examples.
  package var language = "swift"
}

/// A rule that compares the summaries of many recordings.
protocol FleetRule: Sendable {
  static var about: RuleDescription { get }

  /// Returns the rule's findings.
  ///
  /// - Parameter logs: All recordings, in an order that does not depend on the order of merging.
  static func judge(_ logs: [RecordingSummary]) -> [FleetFinding]
}

/// The finding of a rule about many recordings, and the affected recordings.
struct FleetFinding {
  var finding: Finding
  /// The number of occurrences.
  var count: Int
  /// Indices of the affected recordings, ascending.
  var places: [Int]
}

/// The events that a rule observes. Most events of a log are plain notes, which no rule observes.
struct Interest: OptionSet {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Creates an interest in events of these kinds, except plain notes.
  init(_ kinds: CrumbKind...) {
    rawValue = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
  }

  /// Notes that record an access to a shared value.
  static let access = Interest(rawValue: 1 << 14)
  /// Any event with a stack off the main queue.
  static let stackOffMain = Interest(rawValue: 1 << 15)

  /// Computes the interests that an event matches; empty for a plain note.
  @inline(__always)
  init(in event: Event) {
    var bits: UInt16 = 0
    if event.kind != .note {
      bits = 1 << UInt16(event.kind.rawValue)
    } else if event.categoryBytes.isEqual(to: MS_WORD_ACCESS) {
      bits = Interest.access.rawValue
    }
    if event.hasStack && event.isOffMain { bits |= Interest.stackOffMain.rawValue }
    rawValue = bits
  }
}
