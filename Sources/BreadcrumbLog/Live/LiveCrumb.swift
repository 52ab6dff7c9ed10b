import CBreadcrumbLog
import IncidentModel

/// A crumb that has just been left, decoded as far as it is asked.
package struct LiveCrumb {
  private let record: WholeRecord
  private let chunk: TailChunk
  private let head: ms_crumb_record
  private let clock: LogClock
  package let kind: CrumbKind
  package let monotonic: UInt64

  init?(_ record: WholeRecord, of chunk: TailChunk, _ clock: LogClock) {
    guard let head = chunk.head(of: record), let kind = CrumbKind(rawValue: head.head.kind) else {
      return nil
    }
    self.record = record
    self.chunk = chunk
    self.head = head
    self.clock = clock
    self.kind = kind
    monotonic = clock.time(at: head.ticks).monotonic
  }

  /// The thread's ordinal.
  package var thread: Int { Int(head.thread) }
  package var isOnMain: Bool { UInt32(head.flags) & MS_CRUMB_ON_MAIN.rawValue != 0 }
  package var queue: Queue? { chunk.queue(of: head) }

  /// All of it; nil where it makes no sense.
  package func decoded() -> Crumb? { chunk.crumb(record, clock) }
}
