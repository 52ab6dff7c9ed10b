import Glibc
import ProcessReading
import TestRuns
import TextOutput

extension Command {
  /// The command that runs tests and explains hangs and crashes.
  static let test = Command(
    name: "test", summary: "run tests, and explain those that hang or crash",
    discussion: [
      "COMMAND runs a bundle of XCTest or Swift Testing: swift test, the bundle itself, or a script or "
        + "make target that starts one. No rebuild is needed: the loader preloads a library into the test processes. "
        + "This library follows the tests and records a crash with its stack. Compilers and other programs that COMMAND "
        + "starts run unchanged.",
      "If a test process has no test event for --timeout seconds, crashscan reads its threads as crashscan "
        + "attach does. The process hangs if a finding shows that it cannot continue, or if it neither works "
        + "nor waits for a timer or a child process; otherwise it hangs after --limit seconds. crashscan names "
        + "the hanging test and the cause, ends the process, and runs the tests that had no result. A process that is stopped or debugged does not hang.",
      "After a crash, crashscan names the test that crashed and the cause, and runs the tests that had "
        + "no result. Tests that fail and then pass with --retry are flaky and count as passed.",
      "With --isolation soft, isolation checks of the Swift runtime that fail do not end the test process. After "
        + "the run, crashscan reports each place that failed one; each is a data race, and the exit status is 1. "
        + "dispatchPrecondition still traps.",
      "With --blocking, crashscan reports calls that blocked a thread of Swift's pool, an event loop or the main "
        + "queue for 5 ms or longer. They do not change the exit status.",
      "The exit status is the command's own unless crashscan ran tests again, or found a crash or a hang: then the status is 0 if each test finally passed, else 1. After a signal the status is 128 plus "
        + "the number of the signal.",
    ],
    examples: [
      Example(line: "crashscan test -- swift test", summary: "All tests of a package."),
      Example(
        line: "crashscan test --timeout 20 --junit tests.xml -- swift test --parallel",
        summary: "Report a hang after 20 s without an event, and write all results to a file."),
      Example(
        line: "crashscan test --pool 1 --retry 3 -- swift test --filter Cache",
        summary:
          "Run on one processor, as on a small machine, and run failed tests up to four times."),
    ],
    operands: Operand(placeholder: "COMMAND", completion: .file, count: 1...Int.max),
    options: [
      Option.timeout.entry, Option.limit.entry, Option.pool.entry, Option.retry.entry,
      Option.junit.entry, Option.blocking.entry, Option<IsolationMode>.isolation.entry,
      Option.noRerun.entry,
      Option.stress.entry, Option.symbols.entry,
      Option.noColor.entry, Option.verbose.entry,
    ],
    run: { invocation in
      do throws(CommandFailure) {
        exit(try TestCommandRun(invocation).run())
      } catch {
        tell("\(error.message)")
        return error.code
      }
    })
}

/// Runs the tests of `crashscan test`.
private struct TestCommandRun {
  private let invocation: Invocation
  private let timeout: Int
  private let limit: Int

  init(_ invocation: Invocation) throws(CommandFailure) {
    self.invocation = invocation
    timeout = invocation[.timeout] ?? 60
    limit = invocation[.limit] ?? timeout * 10
    if invocation[.blocking], invocation[.isolation] != nil {
      throw CommandFailure(
        message: "--blocking cannot be combined with --isolation", code: .usage)
    }
    guard limit >= timeout else {
      throw CommandFailure(
        message: "--limit \(limit) is less than the \(timeout) seconds of --timeout", code: .usage)
    }
    if let pool = invocation[.pool], pool > sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
      throw CommandFailure(
        message: "--pool \(pool): there are \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) processors",
        code: .usage)
    }
  }

  /// Runs the command and reports the results. Returns the exit status.
  func run() throws(CommandFailure) -> Int32 {
    let program = try ProgramFile(named: invocation.operands[0])
    let library = try PreloadedFile.path(of: "libmainstay-testing.so")
    let directory = try Self.makeDirectory()
    defer { Self.remove(directory) }
    let report = TestRunReport(invocation, directory: directory)
    let supervisor = Supervisor(
      TestRunOptions(
        timeout: Double(timeout), limit: Double(limit), pool: invocation[.pool],
        retries: invocation[.retry] ?? 0, reruns: !invocation[.noRerun], library: library,
        directory: directory), reporting: report)
    if invocation[.isolation] != nil {
      try TestRecording.begin(IsolationRun.library, logsIn: directory)
    }
    if invocation[.blocking] { try TestRecording.begin(BlockingRun.library, logsIn: directory) }
    if invocation[.stress] { Self.loadProcessors() }
    let status: Int32
    do throws(TestRunFailure) {
      status = try supervisor.execute(program: program.path, invocation.operands)
    } catch {
      throw CommandFailure(message: "\(error.text)")
    }
    if let path = invocation[.junit] {
      supervisor.learnModules()
      try WholeFile.write(
        JUnitFile(supervisor.run, modules: supervisor.modules).text, to: path)
    }
    report.conclude(supervisor)
    if supervisor.interruption != 0 { return 128 + supervisor.interruption }
    guard supervisor.processCount > 0 else { return status }
    if invocation[.blocking] { report.showBlockingCalls() }
    let fails = invocation[.isolation] != nil && report.showFailedChecks()
    if fails, status == 0 { return 1 }
    guard supervisor.hasIntervened else { return status }
    return supervisor.run.isGood && !fails ? 0 : 1
  }

  private static func makeDirectory() throws(CommandFailure) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/crashscan-test-XXXXXX".utf8CString)
    // The test processes have other working directories.
    guard mkdtemp(&template) != nil, let resolved = realpath(template, nil) else {
      throw WholeFile.failure(
        parent, "no directory can be created in this directory (set TMPDIR to another)")
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func remove(_ directory: String) {
    for name in ProcessFiles.names(in: directory) { unlink("\(directory)/\(name)") }
    rmdir(directory)
  }

  /// Starts a thread for each processor that keeps the processor busy until this process ends, in
  /// whatever way it ends.
  private static func loadProcessors() {
    for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
      var thread = pthread_t()
      pthread_create(&thread, nil, { _ in while true {} }, nil)
    }
  }
}

extension Option where Value == Int {
  fileprivate static let timeout = seconds(
    "timeout", "Check a test process after S seconds without an event (default 60)")
  fileprivate static let limit = seconds(
    "limit",
    "Report a hang after S seconds without an event in any case (default 10 times --timeout)"
  )
  static let pool = number(
    "pool", "N", "Run the tests on N processors, which is the width of Swift's pools of threads")
  fileprivate static let retry = number("retry", "N", "Run failed tests up to N more times")

  private static func seconds(_ name: String, _ summary: String) -> Option {
    number(name, "S", summary)
  }

  private static func number(_ name: String, _ placeholder: String, _ summary: String) -> Option {
    Option(
      name, takes: placeholder, "a whole number above 0", summary: summary,
      read: { Int($0).flatMap { $0 > 0 && $0 < 1_000_000 ? $0 : nil } })
  }
}

extension Option where Value == String {
  fileprivate static let junit = Option(
    "junit", takes: "FILE", "the path of a file", completion: .file,
    summary: "Write the results of all tests to FILE as JUnit XML",
    discussion: """
      A test that crashed or hung is an error with the report as its text, and a flaky test has a flakyFailure, as \
      Maven's Surefire writes it.
      """, read: { $0.isEmpty ? nil : $0 })
}

extension Option where Value == Bool {
  fileprivate static let noRerun = Option(
    flag: "no-rerun",
    summary: "Do not rerun tests that a crash or hang left without a result")
  fileprivate static let blocking = Option(
    flag: "blocking",
    summary: "Report calls that block a thread of a pool, an event loop or the main queue")
  fileprivate static let stress = Option(
    flag: "stress", summary: "Load every processor with other work during the run")
}
