import LogReading
import Glibc
import ProcessTesting
import Testing

/// Threads that a crash asks for their stacks leave waits that Linux does not restart.
@Suite("A wait that a crash interrupts", .enabled(if: !isSanitized))
struct InterruptedWaitTests {
  private static let waits = ["pause", "sleep", "poll", "select", "sigsuspend", "sigwaitinfo"]

  @Test(
    "lets nobody exit instead", arguments: waits,
    ["enable=no", "enable=yes,interactive=no,color=no"])
  func letsNobodyExit(wait: String, backtracer: String) throws {
    let log = TestFiles.path("interrupted.log")
    defer { unlink(log) }
    let victim = try ChildProcess.run(
      "victim", ["interrupted-wait", "main", log, wait],
      environment: ["SWIFT_BACKTRACE": backtracer])
    #expect(victim.signal == SIGSEGV, "exit status \(victim.status)")
    #expect(try LogReader(path: log).read().ending == .crash(signal: Int(SIGSEGV), .certain))
    // Swift's own backtracer is given its threads as they were.
    if backtracer == "enable=no" { #expect(victim.output == "") }
  }

  @Test("lets nobody leave by _exit where nothing else handles crashes", arguments: waits)
  func letsNobodyLeave(wait: String) throws {
    let victim = try ChildProcess.run(
      "victim",
      ["interrupted-wait-exits-at-once", "main", TestFiles.path("interrupted.log"), wait],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(victim.signal == SIGSEGV, "exit status \(victim.status)")
  }
}
