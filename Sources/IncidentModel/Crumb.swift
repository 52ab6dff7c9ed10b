/// One record of what happened, where and when.
package struct Crumb: Sendable {
  /// Whether it was left on the main queue.
  package enum OnMain: Sendable {
    case yes, no, unknown
  }

  /// Nanoseconds of the machine's monotonic clock.
  package var monotonic: UInt64
  /// Nanoseconds since 1970.
  package var wall: UInt64
  /// The thread's ordinal.
  package var thread: Int
  /// Counts the thread's crumbs, modulo 2^32.
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
  /// Left by a signal handler that interrupted another crumb of its thread.
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

  /// The value under `key`, if the crumb carries one.
  package subscript(key: String) -> CrumbValue? { data.first { $0.key == key }?.value }
}
