import CRecorder
import Glibc
import Testing

/// Crashes that a process goes on after fill the crash's chunk again and again.
struct SurvivedCrashTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Records a crash that was survived, with `letters` of text; the answer is where it stands.
  private func survive(_ number: UInt32, letters: Int, in log: OpaquePointer) throws -> Int {
    ms_crash_make_room(log)
    let crash = try #require(
      ms_crash_begin(log, MS_RECORD_CRASH, number, MemoryLayout<ms_crash_record>.size))
    crash.assumingMemoryBound(to: ms_crash_record.self).pointee.signal = SIGSEGV
    ms_crash_commit(log, crash)
    let size = MemoryLayout<ms_crash_text_record>.size
    let text = try #require(ms_crash_begin(log, MS_RECORD_CRASH_TEXT, number, size + letters))
    text.assumingMemoryBound(to: ms_crash_text_record.self).pointee.source = 1
    text.assumingMemoryBound(to: ms_crash_text_record.self).pointee.size = UInt16(letters)
    memset(text + size, 0x61, letters)
    ms_crash_commit(log, text)
    let progress = try #require(
      ms_crash_begin(
        log, MS_RECORD_CRASH_PROGRESS, number, MemoryLayout<ms_crash_progress_record>.size))
    progress.assumingMemoryBound(to: ms_crash_progress_record.self).pointee.stage =
      MS_CRASH_RECOVERED.rawValue
    ms_crash_commit(log, progress)
    return Int(bitPattern: crash)
  }

  @Test func nothingOfThoseThatWereGivenUpIsReadBehindTheNext() throws {
    let log = try scratch.openLog()
    defer { ms_log_close(log) }
    let first = try survive(1, letters: 200, in: log)
    var (number, last) = (UInt32(1), first)
    repeat {
      number += 1
      last = try survive(number, letters: 200, in: log)
    } while last > first && number < 100_000
    #expect(last == first)
    // It ends where none of the former did.
    _ = try survive(number + 1, letters: 24, in: log)
    let incident = try scratch.incident()
    #expect(incident.unread.count == 0, "\(incident.unread.prefix(3))")
    #expect(incident.crash == nil)
  }
}
