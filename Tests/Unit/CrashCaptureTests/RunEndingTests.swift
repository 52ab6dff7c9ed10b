import LogReading
import Breadcrumbs
import CRecorder
import CrashCapture
import Foundation
import Glibc
import IncidentModel
import ProcessTesting
import Testing

/// How an end is told: by `PreviousRun`, from the header, and by whoever reads all of the log.
@Suite("An end that looks like another", .enabled(if: !isSanitized))
struct RunEndingTests {
  private static let crashes: [(String, Int32, RunEnding.Certainty)] = [
    ("crash-in-destructor", SIGSEGV, .certain),
    ("crash-after-exit-noted", SIGSEGV, .certain),
    ("crash-before-exit-noted", SIGSEGV, .certain),
    ("crash-elsewhere-in-exit", SIGSEGV, .certain),
    ("destructor-crash-handler-leaves", SIGSEGV, .possible),
    ("handler-exits", SIGSEGV, .certain),
    ("reporting-handler-exits", SIGSEGV, .certain),
    ("handler-leaves", SIGSEGV, .possible),
    ("reporting-handler-leaves", SIGSEGV, .certain),
    ("handler-raises", SIGSEGV, .possible),
    ("reporting-handler-raises", SIGSEGV, .certain),
    ("reporting-handler-faults", SIGSEGV, .certain),
    ("handler-gives-up", SIGSEGV, .certain),
    ("default-with-siginfo", SIGSEGV, .certain),
    ("handler-tells-and-leaves", SIGSEGV, .possible),
    ("handler-aborts", SIGABRT, .certain),
    ("survived-then-aborts", SIGABRT, .certain),
    // Nothing says that its thread went on.
    ("survived-quietly-then-killed", SIGSEGV, .possible),
    ("survived-quietly-then-leaves", SIGSEGV, .possible),
  ]

  @Test("is not ruled out as a crash by a handler that records into another log")
  func handlerOfAnotherLog() throws {
    let paths = [TestFiles.path("first.log"), TestFiles.path("second.log")]
    let recorders = try paths.map { try BreadcrumbRecorder(path: $0, automatic: []) }
    for recorder in recorders { CrashHandler.install(recordingTo: recorder) }
    let handlers = try paths.map { try LogReader(path: $0).events().signs.hasCrashHandler }
    CrashHandler.uninstall()
    for recorder in recorders { recorder.close() }
    #expect(handlers == [nil, true])
  }

  @Test("is told as the crash that it is", arguments: crashes)
  func isCrash(way: String, signal: Int32, certainty: RunEnding.Certainty) throws {
    let log = try Log(of: way)
    let previous: PreviousRun.Ending =
      certainty == .certain ? .crash(signal: signal) : .faultHandled(signal: signal)
    #expect(try log.previous == previous)
    let incident = try log.incident
    #expect(incident.ending == .crash(signal: Int(signal), certainty))
    #expect(incident.crash?.signal == Int(signal))
  }

  @Test(
    "is told as the kill that it is",
    arguments: [
      "survived-then-killed", "survived-deeper-then-killed", "survived-then-leaves",
      "survived-told-then-killed", "survived-report-then-killed",
      "survived-often-then-killed",
    ])
  func isKill(way: String) throws {
    let log = try Log(of: way)
    #expect(try log.previous == .killed)
    let incident = try log.incident
    #expect(incident.ending == .killed)
    #expect(incident.crash == nil)
  }

  @Test(
    "is told as the exit that it is",
    arguments: [
      "survived-then-exits", "survived-report-then-exits", "survived-quietly-then-exits",
      "exits-while-handled",
    ])
  func isExit(way: String) throws {
    let log = try Log(of: way)
    #expect(try log.previous == .clean)
    let incident = try log.incident
    #expect(incident.ending == .clean)
    #expect(incident.crash == nil)
  }

  @Test("is a kill where the process was seen long after the fault, whoever saw it")
  func isKillLongAfter() throws {
    let log = try Log(of: "survived-quietly-then-killed")
    try log.change { words, ticksOfSecond in
      let fault = words.faults.0.crash != 0
      try #require(fault)
      words.faults.0.ticks -= 10 * ticksOfSecond
    }
    #expect(try log.previous == .killed)
    #expect(try log.incident.ending == .killed)
  }
}

/// The log that a victim left.
private final class Log {
  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("ending-\(UUID().uuidString).log").path

  init(of way: String) throws { _ = try ChildProcess.run("victim", [way, "main", path]) }

  deinit { unlink(path) }

  var previous: PreviousRun.Ending? { get throws { PreviousRun(path: path)?.ending } }
  var incident: Incident { get throws { try LogReader(path: path).read() } }

  /// Changes the last words, given how many ticks a second has.
  func change(_ body: (inout ms_last_words, UInt64) throws -> Void) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.withUnsafeMutableBytes { bytes in
      let identity = bytes.load(as: ms_log_identity.self)
      let ticks = identity.opened.ticks - identity.before_open.ticks
      let nanoseconds = identity.opened.monotonic_ns - identity.before_open.monotonic_ns
      let offset = Int(MS_LAST_WORDS_OFFSET)
      var words = bytes.load(fromByteOffset: offset, as: ms_last_words.self)
      try body(&words, ticks * 1_000_000_000 / nanoseconds)
      bytes.storeBytes(of: words, toByteOffset: offset, as: ms_last_words.self)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
