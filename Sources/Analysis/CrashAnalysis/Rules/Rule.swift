import IncidentModel
import CLogFormat

/// Judges an input: sees its events once, in the order of time, and reports to the run.
///
/// A rule is a fold. Its state must be proportional to its findings, never to its events. It receives events of
/// the kinds in its interest, then the end of the input, once. Its findings depend only on the input.
protocol Rule: AnyObject {
  static var about: RuleDescription { get }

  /// The kinds of events that `observe` is called for.
  var interest: Interest { get }

  init()

  func observe(_ event: Event, in run: RunState)

  /// The input has ended; facts that the source knows only at its end are available.
  func finish(in run: EndedRun)
}

extension Rule {
  func observe(_ event: Event, in run: RunState) {}
  func finish(in run: EndedRun) {}
}

/// The description of a rule: the source of `crashscan rules`, the docs and the help in reports.
package struct RuleDescription: Sendable {
  /// Stable: people write it into scripts.
  package let id: String
  /// The severity of its findings, unless a finding says otherwise.
  package let severity: Severity
  /// The condition that it finds, in a few words.
  package let title: String
  /// Exactly when it fires.
  package let firesWhen: String
  /// How code comes to do this, and what follows.
  package let cause: String
  /// The evidence for it in an input.
  package let evidence: String
  /// The fix.
  package let fix: String
  /// Code that it finds.
  package let triggers: String
  /// Code that it leaves alone.
  package let spares: String
  /// The language of these two examples.
  package var language = "swift"
}

/// Judges many recordings together, by their summaries.
protocol FleetRule: Sendable {
  static var about: RuleDescription { get }

  /// - Parameter logs: every recording, in an order that does not depend on how they were merged.
  static func judge(_ logs: [RecordingSummary]) -> [FleetFinding]
}

/// The finding of a rule about many recordings, and the affected recordings.
struct FleetFinding {
  var finding: Finding
  /// How often it occurred.
  var count: Int
  /// Indices of the affected recordings, ascending.
  var places: [Int]
}

/// The events that a rule asks to see. Most events of a log are plain notes, which none does.
struct Interest: OptionSet {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Events of these kinds, but for plain notes.
  init(_ kinds: CrumbKind...) {
    rawValue = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
  }

  /// Notes of an access to a recorded value.
  static let access = Interest(rawValue: 1 << 14)
  /// Any event with a stack off the main queue.
  static let stackOffMain = Interest(rawValue: 1 << 15)

  /// The kinds of interest that an event matches; empty for a plain note.
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
