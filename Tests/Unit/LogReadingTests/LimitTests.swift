import LogReading
import CLogFormat
import HostileLogs
import IncidentModel
import Testing

/// What a reader holds a log to, so that none can cost it more than logs of its size do.
///
/// The time limits tell a reader that hangs: each log is read in a fraction of a second.
@Suite struct LimitTests {
  private func read(_ bytes: [UInt8]) throws -> Incident {
    try bytes.withUnsafeBytes { try LogReader(contents: $0, name: "made up").read() }
  }

  private func log(_ fill: (inout ChunkForge) -> Void) -> [UInt8] {
    var forge = LogForge(size: 1 << 16)
    forge.chunk { fill(&$0) }
    return forge.finish()
  }

  /// Whoever cuts the file short under a writer leaves zeros where the record's head stood.
  @Test func aRecordIsSummedAsFarAsItsWriterSays() {
    let record = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 4)
    defer { record.deallocate() }
    record.initialize(repeating: 0)
    record[3] = 7
    let head = UnsafeRawPointer(record.baseAddress!).assumingMemoryBound(to: ms_record_head.self)
    #expect(head.pointee.words == 0)
    #expect(ms_record_sum(head, 4, 5) == ms_crc(5, record.baseAddress, 4))
    #expect(ms_record_sum(head, 2, 5) == ms_crc(5, record.baseAddress, 2))
    #expect(ms_crc_by_table(5, record.baseAddress, 4) == ms_crc(5, record.baseAddress, 4))
  }

  @Test(.timeLimit(.minutes(1)))
  func aChunkOfBeginningsWithoutRecordsIsGivenUp() throws {
    var forge = LogForge(size: 0)
    forge.chunk(size: Int(MS_CHUNK_LARGEST)) { chunk in
      chunk.crumb(MS_KIND_NOTE, "before it")
      let longest = UInt64(MS_RECORD_WORDS_LIMIT) << 32
      chunk.fill(with: UInt64(chunk.tag) | longest | UInt64(MS_RECORD_CRUMB.rawValue) << 48)
    }
    let incident = try read(forge.finish())
    #expect(incident.crumbs.map(\.message) == ["before it"])
    #expect(!incident.unread.isEmpty)
  }

  @Test func crumbsBehindALittleDamageAreFound() throws {
    let incident = try read(
      log { chunk in
        for number in 0..<100 {
          chunk.crumb(MS_KIND_NOTE, "spoiled")
          chunk.spoilLast()
          chunk.crumb(MS_KIND_NOTE, "\(number)")
        }
      })
    #expect(incident.crumbs.map(\.message) == (0..<100).map { "\($0)" })
  }

  @Test(arguments: [1024, 1025]) func aMessageIsNoLongerThanARecorderWritesIt(length: Int) throws {
    let bytes = log { $0.crumb(MS_KIND_NOTE, String(repeating: "m", count: length)) }
    let isRead = length <= MS_MESSAGE_LIMIT
    try expect(crumbs: isRead ? 1 : 0, in: bytes)
  }

  @Test(arguments: [128, 129]) func aStackIsNoLongerThanARecorderWritesIt(length: Int) throws {
    let bytes = log { chunk in
      let stack = chunk.stack((0..<length).map { UInt64($0) })
      chunk.crumb(MS_KIND_NOTE, "with a stack", stack: stack ?? 0)
    }
    let crumb = try #require(try read(bytes).crumbs.first)
    #expect(crumb.stack?.frames.count == (length <= MS_FRAME_LIMIT ? length : nil))
  }

  @Test func aRecordIsNoLargerThanAnyOfARecorders() throws {
    let bytes = log { chunk in
      chunk.record(
        MS_RECORD_STACK.rawValue, [UInt8](repeating: 0, count: 8 * MS_RECORD_WORDS_LIMIT))
      chunk.crumb(MS_KIND_NOTE, "behind it")
    }
    let incident = try read(bytes)
    #expect(incident.crumbs.map(\.message) == ["behind it"])
    #expect(incident.unread.map(\.reason) == [.damaged])
  }

  @Test(.timeLimit(.minutes(1))) func aCrashMayHaveManyThreads() throws {
    let incident = try read(Attack.crash.log(size: 8 << 20))
    let crash = try #require(incident.crash)
    #expect(crash.otherThreads.count > 50_000)
    #expect(Set(crash.otherThreads.map(\.kernelID)).count == crash.otherThreads.count)
  }

  /// The reader of whole logs and the stream of events refuse the same.
  private func expect(crumbs: Int, in bytes: [UInt8]) throws {
    #expect(try read(bytes).crumbs.count == crumbs)
    try bytes.withUnsafeBytes { bytes in
      let events = try LogReader(contents: bytes, name: "made up").events()
      let batch = EventBatch(queues: events.queues)
      var count = 0
      while try events.next(into: batch) { count += batch.count }
      #expect(count == crumbs)
      #expect(events.unread.isEmpty == (crumbs > 0))
    }
  }
}
