import CBreadcrumbLog
import IncidentModel

/// Gathers what the chunks hold into one incident.
struct IncidentBuilder {
  private let clock: LogClock
  private var threads: [Int: IncidentThread] = [:]
  private var modules: [SeenModule] = []
  private var crumbs: [(ticks: UInt64, crumb: Crumb)] = []
  private var unread: [Unread] = []
  private var crash = CrashDecoder()

  init(clock: LogClock) { self.clock = clock }

  mutating func add(_ chunk: LoadedChunk) {
    let decoder = RecordDecoder(bytes: chunk.bytes, clock: clock)
    var queues: [Int: Queue] = [:]
    var stacks: [Int: Stack] = [:]
    unread += chunk.scanned.unread
    for record in chunk.scanned.records {
      if !add(record, decoder, &queues, &stacks) {
        let reason = Unread.Reason.other("a record of type \(record.type) that makes no sense")
        unread.append(
          Unread(
            offset: chunk.start + UInt64(record.offset), length: UInt64(record.size),
            reason: reason))
      }
    }
  }

  private mutating func add(
    _ record: WholeRecord, _ decoder: RecordDecoder, _ queues: inout [Int: Queue],
    _ stacks: inout [Int: Stack]
  ) -> Bool {
    switch record.type {
    case MS_RECORD_THREAD.rawValue:
      guard let thread = decoder.thread(record) else { return false }
      threads[thread.ordinal] = thread
    case MS_RECORD_QUEUE.rawValue:
      guard let queue = decoder.queue(record) else { return false }
      queues[record.offset] = queue
    case MS_RECORD_STACK.rawValue:
      guard let stack = decoder.stack(record) else { return false }
      stacks[record.offset] = stack
    case MS_RECORD_MODULE.rawValue:
      guard let module = decoder.module(record) else { return false }
      modules.append(module)
    case MS_RECORD_CRUMB.rawValue:
      guard let crumb = decoder.crumb(record, queues: queues, stacks: stacks) else { return false }
      crumbs.append(crumb)
    case let type where CrashDecoder.decodes(type):
      return crash.add(decoder.whole(record), type: type, clock: clock)
    default: return false
    }
    return true
  }

  func finish(
    process: Incident.Process?, ending: JudgedEnding, losses: Incident.Losses,
    unread: [Unread], notes: [String]
  ) -> Incident {
    let ordered = crumbs.sorted { left, right in
      if left.ticks != right.ticks { return left.ticks < right.ticks }
      if left.crumb.thread != right.crumb.thread { return left.crumb.thread < right.crumb.thread }
      return Int32(bitPattern: left.crumb.number &- right.crumb.number) < 0
    }.map(\.crumb)
    return Incident(
      process: process, ending: ending.ending, threads: threads,
      modules: modules.sorted { $0.since < $1.since }, crumbs: ordered,
      losses: losses, unread: (unread + self.unread).sorted { $0.offset < $1.offset },
      notes: notes, crash: crash.last(ending.crash))
  }
}
