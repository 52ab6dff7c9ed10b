import Dispatch
import Foundation
import Synchronization

/// The result of a child process, which runs this program to carry out one order.
package struct TestChild: Sendable {
  let order: ChildOrder
  /// The signal that ended the child; 0 if the child exited.
  package let signal: Int32
  package let status: Int32
  /// True if the child was killed because it exceeded its time limit.
  package let wasLate: Bool
  /// The text that the child wrote to standard error.
  package let errors: String

  /// Runs a child to its end. The child's files are in a directory that `discard` removes.
  static func run(
    _ task: ChildOrder.Task, code: CodeAddress, patience: TimeInterval = 600
  ) async throws -> TestChild {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("mainstay-child-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let order = ChildOrder(task: task, code: code, directory: directory.path)
    return try await withCheckedThrowingContinuation { continuation in
      SentWork.onThread { continuation.resume(with: Result { try run(order, patience) }) }
    }
  }

  /// The child's answer; nil if the child wrote none of this type.
  func answer<Answer: Decodable>(_ type: Answer.Type) -> Answer? {
    FileManager.default.contents(atPath: order.answer).flatMap {
      try? JSONDecoder().decode(type, from: $0)
    }
  }

  /// Returns the failure for a child that died at a step.
  func death(step: Int) -> StormFailure {
    if wasLate {
      return StormFailure(key: "late", text: "the child process did not end in time", step: step)
    }
    let (report, text) = read()
    let worst = report?.findings.first
    return StormFailure(
      key: "signal \(signal) \(worst?.rule ?? "") \(worst?.culprit ?? "")",
      text: report == nil ? "signal \(signal) ended the child process\n\(text)" : text, step: step
    )
  }

  /// The path of the child's log.
  package var log: String { order.log }

  /// The report of `crashscan` on the child's log; nil if the process does not link `CrashTesting`.
  func report() throws -> LogReport? { try CrashReaders.current?.report(ofLog: log) }

  /// The report and its text; if there is no report, the text is the reason.
  func read() -> (report: LogReport?, text: String) {
    do {
      let report = try report()
      return (report, report?.text ?? Self.noReader)
    } catch {
      return (nil, "the log of the child process cannot be read: \(error)")
    }
  }

  static let noReader =
    "the log of the child process was not read; let the test target depend on CrashTesting to see crashscan's report"

  package func discard() { try? FileManager.default.removeItem(atPath: order.directory) }

  private static func run(_ order: ChildOrder, _ patience: TimeInterval) throws -> TestChild {
    let errorFile = "\(order.directory)/errors"
    let child = try spawn(order, errorFile)
    let isLate = Mutex(false)
    let deadline = DispatchSource.makeTimerSource(queue: .global())
    deadline.schedule(deadline: .now() + patience)
    deadline.setEventHandler {
      isLate.withLock { $0 = true }
      kill(child, SIGKILL)
    }
    deadline.activate()
    defer { deadline.cancel() }
    var state: Int32 = 0
    while waitpid(child, &state, 0) < 0 && errno == EINTR {}
    let signal = state & 0x7f
    let errors = (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? ""
    return TestChild(
      order: order, signal: signal, status: signal == 0 ? state >> 8 : 0,
      wasLate: isLate.withLock { $0 }, errors: errors)
  }

  private static func spawn(_ order: ChildOrder, _ errorFile: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, errorFile, O_WRONLY | O_CREAT, 0o600)
    // Threads of tests block most signals, but a program must start with an empty signal mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var variables = ProcessInfo.processInfo.environment
    variables["MAINSTAY_TEST_CHILD"] = String(
      decoding: try JSONEncoder().encode(order), as: UTF8.self)
    variables["SWIFT_BACKTRACE"] = "enable=no"
    let argv = [strdup(LoadedModules.program), nil]
    let envp = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, LoadedModules.program, &actions, &attributes, argv, envp)
    guard code == 0 else {
      throw StormError(
        description: "no child process could be started: \(String(cString: strerror(code)))")
    }
    return child
  }
}
