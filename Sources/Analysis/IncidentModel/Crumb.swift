import CLogFormat

/// A recorded event, with its place and time.
package struct Crumb: Sendable {
  /// Whether the crumb was recorded on the main queue, if this is known.
  package enum OnMain: Sendable {
    case yes, no, unknown
  }

  /// The time of the monotonic clock, in nanoseconds.
  package var monotonic: UInt64
  /// The wall-clock time in nanoseconds since 1970.
  package var wall: UInt64
  /// The ordinal of the recording thread.
  package var thread: Int
  /// The sequence number of the crumb within its thread, modulo 2^32.
  package var number: UInt32
  package var queue: Queue?
  package var onMain: OnMain
  package var kind: CrumbKind
  package var level: CrumbLevel
  package var category: String
  package var message: String
  package var data: [(key: String, value: CrumbValue)]
  package var stack: Stack?
  package var hop: UInt64?
  package var isMessageCut: Bool
  package var isDataCut: Bool
  /// True if a signal handler recorded this crumb while its thread was recording another crumb.
  package var isInterrupting: Bool

  package init(
    monotonic: UInt64, wall: UInt64, thread: Int, number: UInt32, queue: Queue?, onMain: OnMain,
    kind: CrumbKind, level: CrumbLevel, category: String, message: String,
    data: [(key: String, value: CrumbValue)], stack: Stack?, hop: UInt64?, isMessageCut: Bool,
    isDataCut: Bool, isInterrupting: Bool
  ) {
    self.monotonic = monotonic
    self.wall = wall
    self.thread = thread
    self.number = number
    self.queue = queue
    self.onMain = onMain
    self.kind = kind
    self.level = level
    self.category = category
    self.message = message
    self.data = data
    self.stack = stack
    self.hop = hop
    self.isMessageCut = isMessageCut
    self.isDataCut = isDataCut
    self.isInterrupting = isInterrupting
  }

  /// The value under `key`; nil if the crumb has no such key.
  package subscript(key: String) -> CrumbValue? { data.first { $0.key == key }?.value }
}

/// The kind of event that a crumb records.
package enum CrumbKind: UInt8, Sendable, CaseIterable {
  case note = 0
  case lifecycle = 1
  case uiWork = 2
  case violation = 3
  case hop = 4
  case backgroundTask = 5
  case hang = 6
  case error = 7

  /// The name in output.
  package var name: String {
    switch self {
    case .note: "note"
    case .lifecycle: "lifecycle"
    case .uiWork: "ui-work"
    case .violation: "violation"
    case .hop: "hop"
    case .backgroundTask: "background-task"
    case .hang: "hang"
    case .error: "error"
    }
  }
}

extension CrumbKind {
  /// True if the value under `key` only identifies objects, such as the hop and the target of a
  /// call. Such numbers are compared, not shown.
  package func isMark(_ key: String) -> Bool { self == .hop && key == MS_KEY_OBJECTS }
}

/// The severity of a crumb.
package enum CrumbLevel: UInt8, Sendable, Comparable, CaseIterable {
  case debug, info, notice, warning, error, fatal

  package static func < (lhs: CrumbLevel, rhs: CrumbLevel) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The name in output.
  package var name: String { "\(self)" }
}

/// A value that a crumb carries.
package enum CrumbValue: Hashable, Sendable, CustomStringConvertible {
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)

  package var description: String {
    switch self {
    case .string(let value): value
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .boolean(let value): "\(value)"
    }
  }
}

extension Crumb {
  /// Creates a copy of `event` that stays valid after its batch is reused.
  package init(_ event: Event) {
    let marks = event.marks
    self.init(
      monotonic: event.monotonic, wall: event.wall, thread: event.thread, number: event.number,
      queue: event.queue, onMain: event.onMain, kind: event.kind, level: event.level,
      category: event.category, message: event.message, data: event.data, stack: event.stack,
      hop: event.hop, isMessageCut: marks.contains(.messageCut),
      isDataCut: marks.contains(.dataCut), isInterrupting: marks.contains(.interrupting))
  }
}
