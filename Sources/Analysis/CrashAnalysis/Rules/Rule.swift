import IncidentModel
import CLogFormat

/// Judges an input: sees its events once, in the order of time, and reports to the run.
///
/// A rule is a fold. What it keeps must be in proportion to what it finds, never to what it sees. It
/// sees events of the kinds it asks for, then the end of the input, once. What it reports is the same
/// for the same input.
protocol Rule: AnyObject {
  static var about: RuleDescription { get }

  /// The kinds of events that `observe` is called for.
  var interest: Interest { get }

  init()

  func observe(_ event: Event, in run: RunState)

  /// The input has ended; what the source only knows then is there.
  func finish(in run: EndedRun)
}

extension Rule {
  func observe(_ event: Event, in run: RunState) {}
  func finish(in run: EndedRun) {}
}

/// What a rule says about itself: the source of `crashscan rules`, the docs and the reports' help.
package struct RuleDescription: Sendable {
  /// Stable: people write it into scripts.
  package let id: String
  /// The severity of its findings, unless a finding says otherwise.
  package let severity: Severity
  /// What it finds, in a few words.
  package let title: String
  /// Exactly when it fires.
  package let firesWhen: String
  /// How code comes to do this, and what follows.
  package let cause: String
  /// What in an input shows it.
  package let evidence: String
  /// What to do.
  package let fix: String
  /// Code that it finds.
  package let triggers: String
  /// Code that it leaves alone.
  package let spares: String
  /// What these two are written in.
  package var language = "swift"
}

/// Judges many recordings together, by what is kept of each.
protocol FleetRule: Sendable {
  static var about: RuleDescription { get }

  /// - Parameter logs: every recording, in an order that does not depend on how they were merged.
  static func judge(_ logs: [RecordingSummary]) -> [FleetFinding]
}

/// What a rule about many recordings has to say, and of which of them.
struct FleetFinding {
  var finding: Finding
  /// How often it occurred.
  var count: Int
  /// Where the recordings stand that it is about.
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
  /// Whatever carries a stack from off the main queue.
  static let stackOffMain = Interest(rawValue: 1 << 15)

  /// What an event is to those who are interested; empty for a plain note.
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
