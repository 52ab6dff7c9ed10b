/// The fields of one event that a source adds to a batch.
///
/// `text` points to the category, the message and the data, each padded to 8 bytes; the data are
/// keys and values as in docs/internals/log-format.md. `frames` points to addresses of 8 bytes.
package struct EventRow {
  package var monotonic: UInt64 = 0
  package var wall: UInt64 = 0
  /// The hop's id; 0 for none.
  package var hop: UInt64 = 0
  package var text: UnsafeRawPointer?
  package var frames: UnsafeRawPointer?
  package var thread: UInt32 = 0
  package var number: UInt32 = 0
  /// The queue's number in the batch's queue table, from 1; 0 for none.
  package var queue: UInt32 = 0
  package var messageSize: UInt16 = 0
  package var dataSize: UInt16 = 0
  package var frameCount: UInt16 = 0
  package var marks: EventMarks = []
  package var categorySize: UInt8 = 0
  package var kind: CrumbKind = .note
  package var level: CrumbLevel = .info
  /// The reason why the stack walk ended.
  package var stackEnd: Stack.End = .complete

  package init() {}
}

/// Properties of an event; the first eight are a crumb's flags in a log.
package struct EventMarks: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let onMain = EventMarks(rawValue: 1)
  package static let mainUnknown = EventMarks(rawValue: 2)
  package static let messageCut = EventMarks(rawValue: 4)
  package static let dataCut = EventMarks(rawValue: 8)
  package static let hasHop = EventMarks(rawValue: 16)
  package static let interrupting = EventMarks(rawValue: 32)
  /// The first frame of the stack is an instruction, not a return address.
  package static let firstIsInstruction = EventMarks(rawValue: 64)
  /// Recorded on a queue that is known to be serial.
  package static let onSerialQueue = EventMarks(rawValue: 128)
  /// The input gives no time: the event's time only keeps the order of events.
  package static let untimed = EventMarks(rawValue: 256)
}

/// The queues of an input, numbered from 1.
package final class QueueTable {
  private var numbers: [Queue: UInt32] = [:]
  private var queues: [Queue] = []

  package init() {}

  package var count: Int { queues.count }

  /// The number of `queue`, from 1; 0 if the table is full.
  package func number(of queue: Queue) -> UInt32 {
    if let number = numbers[queue] { return number }
    guard queues.count < 1 << 20 else { return 0 }
    queues.append(queue)
    numbers[queue] = UInt32(queues.count)
    return UInt32(queues.count)
  }

  /// The queue under `number`; nil for 0.
  package subscript(number: UInt32) -> Queue? {
    number == 0 || number > queues.count ? nil : queues[Int(number) - 1]
  }
}
