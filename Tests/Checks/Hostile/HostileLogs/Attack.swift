import CLogFormat

/// A log made up to cost its reader the most for its size: one for each part that might look at
/// everything once for everything.
package enum Attack: String, CaseIterable, Sendable {
  /// Every word of a chunk seems to begin the longest of records.
  case falseRecords = "false-records"
  /// Every other record is damaged.
  case damage
  /// All chunks at one time.
  case overlap
  case threads, queues
  /// Modules that lie over each other, and stacks all through them.
  case modules
  /// A stack longer than any that is recorded, which all crumbs name.
  case longStack = "long-stack"
  /// No two violations alike.
  case violations
  /// Each names where it was sent from by a long stack.
  case origins
  /// As many keys as fit, all the same.
  case data
  /// Hops that never end, and such as end in another order.
  case hops
  case tasks, accesses, hangs
  /// UI work within UI work.
  case slices
  /// What has to be escaped, all of it.
  case controls
  /// The crash's own threads and texts.
  case crash
  /// A time that goes back with each crumb.
  case backwards

  /// The log, of about so many bytes.
  package func log(size: Int) -> [UInt8] {
    var forge = LogForge(size: size)
    switch self {
    case .crash: crash(&forge, size)
    case .modules: modules(&forge, size)
    case .overlap:
      while !forge.isFull {
        forge.chunk(size: 4096, begun: 1 << 40) { chunk in
          while chunk.crumb(MS_KIND_NOTE, "at one time") {}
        }
      }
    default:
      var count: UInt64 = 0
      while !forge.isFull { forge.chunk { fill(&$0, &count) } }
    }
    return forge.finish()
  }

  private func fill(_ chunk: inout ChunkForge, _ count: inout UInt64) {
    chunk.thread(1)
    switch self {
    case .falseRecords:
      chunk.fill(
        with: UInt64(chunk.tag) | UInt64(MS_RECORD_WORDS_LIMIT) << 32 | UInt64(
          MS_RECORD_CRUMB.rawValue) << 48)
    case .longStack:
      guard let stack = chunk.stack((0..<4000).map { 0x1000 + $0 }) else { return }
      while chunk.crumb(MS_KIND_VIOLATION, "long", stack: stack) {}
    case .damage:
      while chunk.crumb(MS_KIND_NOTE, "whole") {
        // The tag of a record, and no record.
        chunk.record(MS_RECORD_CRUMB.rawValue, [])
        chunk.spoilLast()
      }
    case .slices:
      while chunk.crumb(
        MS_KIND_UI_WORK, "layout", [("nanoseconds", .integer(Int64(count % 64) * 100_000))],
        isOnMain: true)
      { count += 1 }
    case .backwards:
      while chunk.crumb(MS_KIND_LIFECYCLE, "did enter background") {
        chunk.ticks -= 2000
      }
    default: while chunk.room > 64, crumb(&chunk, &count) { count += 1 }
    }
  }

  private func crumb(_ chunk: inout ChunkForge, _ count: inout UInt64) -> Bool {
    switch self {
    case .threads:
      chunk.thread(UInt32(truncatingIfNeeded: count)) != nil
        && chunk.crumb(MS_KIND_NOTE, "thread", thread: UInt32(truncatingIfNeeded: count))
    case .queues:
      chunk.queue(count, "queue \(count)").map { chunk.crumb(MS_KIND_NOTE, "", queue: $0) } ?? false
    case .violations:
      chunk.stack([count << 12, count << 13]).map { violation(&chunk, count, $0) } ?? false
    case .origins: origin(&chunk, count)
    case .data:
      chunk.crumb(
        MS_KIND_NOTE, "data", Array(repeating: ("k", .boolean(true)), count: 150))
    case .hops: hop(&chunk, count)
    case .tasks: task(&chunk, count)
    case .accesses:
      chunk.crumb(
        MS_KIND_NOTE, "value \(count / 4)",
        [("write", .boolean(true)), ("at", .text("A/B.swift:1"))],
        category: "access", isOnMain: count % 2 == 0)
    case .hangs:
      chunk.stack([count << 12]).map {
        chunk.crumb(
          MS_KIND_HANG, "does not answer",
          [("milliseconds", .integer(2000)), ("thread", .integer(1))],
          stack: $0)
      } ?? false
    case .controls:
      chunk.crumb(
        MS_KIND_VIOLATION, String(repeating: "\u{1B}\u{202E}<", count: 80),
        [("expected", .text("main queue")), ("at", .text("\u{1B}/\(count).swift:1"))])
    default: false
    }
  }

  private func violation(_ chunk: inout ChunkForge, _ count: UInt64, _ stack: Int) -> Bool {
    chunk.crumb(
      MS_KIND_VIOLATION, "work \(count)",
      [
        ("expected", .text("main queue")), ("at", .text("M/F\(count).swift:1")),
        ("in", .text("f()")),
      ],
      stack: stack)
  }

  private func origin(_ chunk: inout ChunkForge, _ count: UInt64) -> Bool {
    let stack = (0..<60).map { String(count << 12 | $0 << 4 | 1, radix: 16) }.joined(separator: " ")
    return chunk.crumb(
      MS_KIND_VIOLATION, "work",
      [
        ("expected", .text("main queue")), ("at", .text("M/F\(count).swift:1")),
        ("origin", .text("enqueued at M/F.swift:1 on queue q (thread 1)")),
        ("originStack", .text(stack)),
      ])
  }

  private func hop(_ chunk: inout ChunkForge, _ count: UInt64) -> Bool {
    let name: [(String, ForgedValue)] = [
      ("name", .text("rows")), ("at", .text("M/F\(count % 7).swift:1")),
    ]
    guard chunk.crumb(MS_KIND_HOP, "arrival", name, hop: count + 1) else { return false }
    // The newest of two hundred first.
    let block = count / 200, place = count % 200
    guard block > 0, count % 3 > 0 else { return true }
    return chunk.crumb(
      MS_KIND_HOP, "run", [("nanoseconds", .integer(1 << 40))], hop: block * 200 - place)
  }

  private func task(_ chunk: inout ChunkForge, _ count: UInt64) -> Bool {
    let id = ForgedValue.integer(Int64(count))
    return chunk.crumb(
      MS_KIND_BACKGROUND_TASK, "task \(count)", [("task", id), ("step", .text("begin"))])
      && chunk.crumb(
        MS_KIND_BACKGROUND_TASK, "task \(count)", [("task", id), ("step", .text("expired"))])
      && chunk.crumb(MS_KIND_LIFECYCLE, "did enter background")
      && chunk.crumb(MS_KIND_UI_WORK, "layout", [("at", .text("M/F\(count).swift:1"))])
  }

  // MARK: Whole logs

  private func modules(_ forge: inout LogForge, _ size: Int) {
    var count: UInt64 = 0
    let half = LogForge.largestChunk(within: size / 2)
    forge.chunk(MS_POOL_MODULES, size: half) { chunk in
      while chunk.room > 80 {
        chunk.module(count..<(1 << 40), "/m\(count)")
        chunk.ticks += 1
        count += 1
      }
    }
    var address: UInt64 = 1 << 20
    while !forge.isFull {
      forge.chunk { chunk in
        while chunk.room > 1200, let stack = chunk.stack((0..<100).map { address + $0 }) {
          address += 100
          chunk.crumb(MS_KIND_VIOLATION, "w", [("expected", .text("main queue"))], stack: stack)
        }
      }
    }
  }

  private func crash(_ forge: inout LogForge, _ size: Int) {
    forge.openFault = ms_open_fault_word(1, 1, 4, MS_CRASH_RECORDED.rawValue)
    forge.chunk(MS_POOL_CRASH, size: LogForge.largestChunk(within: size)) { chunk in
      let signal = le(chunk.ticks) + le(UInt64(0)) + le(Int32(4)) + le(Int32(1))
      chunk.record(
        MS_RECORD_CRASH.rawValue, number: 1,
        signal + le(UInt64(0)) + le(UInt32(1)) + le(UInt32(1)) + [UInt8](repeating: 0, count: 8))
      var id: UInt32 = 2
      while chunk.room > 200 {
        var thread = le(UInt64(id)) + le(id) + le(UInt32(0)) + [UInt8](repeating: 97, count: 16)
        thread += le(UInt16(2)) + [0, 0, 0, 0, 0, 0] + le(UInt64(id) << 12) + le(UInt64(id) << 13)
        chunk.record(MS_RECORD_CRASH_THREAD.rawValue, number: 1, thread)
        chunk.record(
          MS_RECORD_CRASH_TEXT.rawValue, number: 1,
          le(UInt16(1)) + le(UInt16(4)) + [0, 0, 0, 0]
            + Array("said".utf8))
        id += 1
      }
    }
  }
}

extension LogForge {
  /// The size of a chunk, as large as may be.
  static func largestChunk(within size: Int) -> Int {
    min(max(size & ~4095, Int(MS_CHUNK_SMALLEST)), Int(MS_CHUNK_LARGEST))
  }
}
