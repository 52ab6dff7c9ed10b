import Breadcrumbs
import CRecorder
import Glibc
import IncidentModel
import LogReading
import Testing

@Suite("The records of waiting tasks")
struct WaitingTaskRecordTests {
  /// A record's bytes after its header.
  private typealias Body = [UInt8]

  private static func body(_ words: [UInt64]) -> Body {
    words.flatMap { word in withUnsafeBytes(of: word.littleEndian, Array.init) }
  }

  /// The tasks of a crash with these records.
  private func waiting(_ records: [(ms_crash_record_type, Body)]) throws -> WaitingTasks? {
    var template = Array("/tmp/mainstay-waits-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CancellationError() }
    let directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let path = directory + "/breadcrumbs.log"
    defer {
      unlink(path)
      rmdir(directory)
    }
    let recorder = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: [])
    let fixed = MemoryLayout<ms_crash_record>.size
    for (type, body) in [(MS_RECORD_CRASH, Body(repeating: 0, count: fixed - 16))] + records {
      let record = try #require(ms_crash_begin(recorder.log, type, 1, 16 + body.count))
      UnsafeMutableRawBufferPointer(start: record + 16, count: body.count).copyBytes(from: body)
      ms_crash_commit(recorder.log, record)
    }
    ms_fault_open(recorder.log, 1, UInt32(getpid()), SIGSEGV, 1)
    let file = try #require(fopen(path, "r"))
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    let count = fread(&bytes, 1, bytes.count, file)
    fclose(file)
    recorder.close()
    // As if the process had died now.
    let incident = try bytes.prefix(count).withUnsafeBytes {
      try LogReader(contents: $0, name: "made up").read()
    }
    #expect(incident.unread.isEmpty)
    let crash: Crash? = incident.crash
    return try #require(crash).waiting
  }

  /// The number of tasks, frames, end and kind of a place, then flags and size.
  private static let place: [UInt64] = [3 | 2 << 32 | 1 << 56, 0, 0x1001, 0x1003]

  private func check(_ waiting: WaitingTasks?, unread: UInt64) throws {
    let waiting = try #require(waiting)
    #expect(waiting.tasks == 5 && waiting.unread == unread && waiting.elsewhere == 2)
    let place = try #require(waiting.places.first)
    #expect(place.kind == .task && place.tasks == 3 && place.task == 7 && place.executor == 9)
    #expect(place.stack.frames.map(\.recorded) == [0x1001, 0x1003])
  }

  @Test("are read as they are written now")
  func now() throws {
    let count = Self.body([0, 5 | 1 << 32, 4096])
    let place = Self.body([0, 0, 7, 9] + Self.place)
    try check(
      try waiting([(MS_RECORD_CRASH_WAITS, count), (MS_RECORD_CRASH_WAIT, place)]), unread: 4096)
  }

  @Test("are read from older logs, without the ages of the waits")
  func older() throws {
    // `missed` was not 0; a place had the longest and the shortest wait, and a flag for loops.
    let count = Self.body([2, 5 | 1 << 32])
    var words = [900_000_000_000, 1_000_000, 7, 9] + Self.place
    words[5] |= 1
    try check(
      try waiting([(MS_RECORD_CRASH_WAITS, count), (MS_RECORD_CRASH_WAIT, Self.body(words))]),
      unread: 0)
  }
}
