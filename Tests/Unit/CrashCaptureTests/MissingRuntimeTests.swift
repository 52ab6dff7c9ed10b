import IncidentModel
import Glibc
import LogReading
import ProcessTesting
import Testing

@Suite("A program without Swift's runtimes", .enabled(if: !isSanitized && !isUnderQemu), .long)
struct MissingRuntimeTests {
  private static let program = """
    #include "CCrashHandler.h"

    int main(int count, char **arguments) {
      ms_log_options options = {.path = arguments[1], .capacity = 1 << 20};
      ms_log_failure failure;
      ms_log *log = ms_log_open(&options, &failure);
      if (!log) return 1;
      ms_crash_options crash = {
          .log = log, .thread_budget_ns = 1000000000, .task_budget_ns = 1000000000};
      ms_crash_install(&crash);
      *(volatile int *)0 = 1;
    }
    """

  @Test("is recorded without waiting tasks, and the log says so")
  func crash() throws {
    let parts = ["log", "queue", "runtime", "signals", "walk"].map { "Recorder/CRecorder/\($0)" }
    let exceptions = Repository.root.appendingPathComponent(
      "Sources/Crash/CCrashHandler/uncaught_exception.cpp")
    let log = TestFiles.path("plain.log")
    let ended = try SmallProgram.run(
      Self.program, with: parts + ["Recorder/CLogFormat", "Crash/CCrashHandler"], [log],
      flags: [exceptions.path, "-fblocks", "-ldl", "-lpthread", "-lstdc++"])
    #expect(ended.signal == SIGSEGV, "\(ended.errors)")
    let reader = try LogReader(path: log)
    let crash = try #require(try reader.read().crash)
    #expect(crash.stage == .recorded && crash.waiting == nil)
    #expect(reader.notes.contains("not known: waiting-tasks: waiting tasks are not listed"))
  }
}
