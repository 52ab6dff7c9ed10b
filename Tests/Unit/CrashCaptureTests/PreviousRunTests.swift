import LogReading
import Breadcrumbs
import CRecorder
import CrashCapture
import Foundation
import Glibc
import ProcessTesting
import Testing

@Suite("The run before this one", .enabled(if: !isSanitized))
struct PreviousRunTests {
  @Test(
    "is told by its log's header",
    arguments: [
      ("clean", PreviousRun.Ending.clean),
      ("null-read", .crash(signal: SIGSEGV)),
      ("fatal-error", .crash(signal: Trap.signal)),
      ("terminated", .terminated(signal: SIGTERM)),
      ("hang-then-killed", .killedInHang),
      ("recovered", .clean),
    ])
  func isTold(way: String, ending: PreviousRun.Ending) throws {
    let log = path()
    defer { unlink(log) }
    _ = try ChildProcess.run("victim", [way, "main", log])
    #expect(PreviousRun(path: log)?.ending == ending)
  }

  @Test("was killed, and not for lack of memory where that can be told")
  func wasKilled() throws {
    let log = path()
    defer { unlink(log) }
    let victim = try ChildProcess.run("victim", ["killed", "main", log])
    try #require(victim.signal == SIGKILL)
    #expect(PreviousRun(path: log)?.ending == .killed)
  }

  @Test("is found beside the log of this run")
  func isFoundBesideThisRun() throws {
    let log = path()
    let kept = log.replacing(".log", with: ".1.log")
    defer {
      unlink(log)
      unlink(kept)
    }
    _ = try ChildProcess.run("victim", ["null-read", "main", log])
    try #require(rename(log, kept) == 0)
    #expect(PreviousRun(path: log)?.ending == .crash(signal: SIGSEGV))
  }

  @Test("went down with the machine if that was booted since")
  func wentDownWithTheMachine() throws {
    let log = path()
    defer { unlink(log) }
    _ = try ChildProcess.run("victim", ["killed", "main", log])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: log))
    bytes.withUnsafeMutableBytes { bytes in
      var identity = bytes.load(as: ms_log_identity.self)
      identity.boot.0 ^= 0xff
      identity.sum = ms_identity_sum(&identity)
      bytes.storeBytes(of: identity, as: ms_log_identity.self)
    }
    try bytes.write(to: URL(fileURLWithPath: log))
    #expect(PreviousRun(path: log)?.ending == .reboot)
    #expect(try LogReader(path: log).read().ending == .reboot)
  }

  @Test("is unknown where there is no log")
  func isUnknown() {
    #expect(PreviousRun(path: "/nowhere/at-all.log") == nil)
    #expect(PreviousRun(path: "/etc/hostname") == nil)
  }

  private func path() -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("previous-\(UUID().uuidString).log").path
  }
}
