import IncidentModel
import LogWords

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
    } else if event.categoryBytes.isEqual(to: LogCategory.access) {
      bits = Interest.access.rawValue
    }
    if event.hasStack && event.isOffMain { bits |= Interest.stackOffMain.rawValue }
    rawValue = bits
  }
}
