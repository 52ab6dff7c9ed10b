import Breadcrumbs
import CrashCapture
import Foundation
import ThreadAffinity

internal import CTestProcess

/// The main function of a child process; never returns.
@_cdecl("ms_child_main")
func childMain() {
  let text = ProcessInfo.processInfo.environment[MS_CHILD_VARIABLE] ?? ""
  guard let order = try? JSONDecoder().decode(ChildOrder.self, from: Data(text.utf8)) else {
    leave("\(MS_CHILD_VARIABLE) contains no valid order for a child process")
  }
  // The child's own children must not inherit the order.
  unsetenv(MS_CHILD_VARIABLE)
  do {
    let recorder = try BreadcrumbRecorder(path: order.log, capacity: 1 << 20)
    // The parent sends SIGQUIT to a child that is stuck; the handler records all stacks.
    CrashHandler.install(recordingTo: recorder, options: CrashOptions(capturesSIGQUIT: true))
    try carryOut(order, recorder)
  } catch {
    leave("\(error)")
  }
  // `dispatchMain()` would end the main thread, which is allowed only in `main`.
  RunLoop.main.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
  RunLoop.main.run()
}

private func carryOut(_ order: ChildOrder, _ recorder: BreadcrumbRecorder) throws {
  switch order.task {
  case .run(isAsync: true, let milliseconds):
    let body = try found(AsyncBody(at: order.code)).body
    Task.detached {
      await body()
      leave(after: milliseconds)
    }
  case .run(isAsync: false, let milliseconds):
    ms_call(try found(order.code.address))
    leave(after: milliseconds)
  case .describe:
    let body = try found(CallbackBody(at: order.code)).body
    answer(order) { try await OwnProcessRunner(body: body).availableSteps() }
  case .play(let text, let patience, let number, let times, let limit):
    let body = try found(CallbackBody(at: order.code)).body
    let schedule = try StormSchedule(parsing: text)
    let progress = open(order.progress, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    answer(order) {
      let runner = OwnProcessRunner(
        body: body, memory: StormMemory(plays: number), recorder: recorder)
      return try await runner.failures(
        of: schedule, times: times, upTo: limit, patience: .milliseconds(patience)
      ) { play, step in
        // The progress is written before the step is played, because the step may end the process.
        let told = (Int64(play), Int64(step))
        _ = withUnsafeBytes(of: told) { pwrite(progress, $0.baseAddress, $0.count, 0) }
      }
    }
  case .playTasks(let text, let patience):
    let body = try found(TaskBody(at: order.code)).body
    let schedule = try TaskSchedule(parsing: text)
    let progress = open(order.progress, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    answer(order) {
      let runner = OwnProcessTaskRunner(body: body, patience: .milliseconds(patience)) { step in
        guard let line = try? JSONEncoder().encode(step) + [UInt8(ascii: "\n")] else { return }
        _ = line.withUnsafeBytes { write(progress, $0.baseAddress, $0.count) }
      }
      return try await runner.play(schedule, seed: nil)
    }
  }
}

private func found<Body>(_ body: Body?) throws(StormError) -> Body {
  guard let body else {
    throw StormError(
      description:
        "the program file changed after the tests started, so the address of the body closure is no longer valid; run the tests again"
    )
  }
  return body
}

private func answer(
  _ order: ChildOrder, _ body: @escaping @Sendable () async throws -> some Encodable & Sendable
) {
  Task {
    do {
      let answer = try await body()
      try JSONEncoder().encode(answer).write(to: URL(fileURLWithPath: order.answer))
      if (answer as? [StormFailure])?.last?.isStuck == true { kill(getpid(), SIGQUIT) }
      exit(0)
    } catch {
      leave("\(error)")
    }
  }
}

private func leave(after milliseconds: Int) {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { exit(0) }
}

private func leave(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("mainstay: child process of a test: \(reason)\n".utf8))
  exit(70)
}
