import Breadcrumbs
import CrashCapture
import Foundation

/// What it costs to note the tasks that wait, for a task that waits and goes on: with and without, in turn.
func showSuspensions() throws {
  let log = FileManager.default.temporaryDirectory.appendingPathComponent("waits-bench.log").path
  let recorder = try BreadcrumbRecorder(path: log, automatic: [])
  defer { unlink(log) }
  let places: [(name: String, executor: (any TaskExecutor)?)] = [
    ("on the pool's threads", nil), ("at once, on one thread", ImmediateExecutor()),
  ]
  for (name, executor) in places {
    var (without, with): ([Double], [Double]) = ([], [])
    for _ in 0..<25 {
      for isOn in [false, true] {
        CrashHandler.install(
          recordingTo: recorder, options: CrashOptions(recordsWaitingTasks: isOn))
        precondition(CrashHandler.waitingTaskRecording == (isOn ? .on : .off))
        let cost = nanosecondsOfSuspension(on: executor)
        if isOn { with.append(cost) } else { without.append(cost) }
      }
    }
    try show(
      Row(
        name: "wait and go on \(name), waiting tasks noted", unit: "ns", ours: with, peer: without,
        peerName: "not noted", aim: 1.2))
  }
  CrashHandler.uninstall()
}

private func nanosecondsOfSuspension(on executor: (any TaskExecutor)?) -> Double {
  let times = 100_000
  let done = DispatchSemaphore(value: 0)
  let table = Table()
  let start = monotonicNanoseconds()
  // Where all runs at once, the second task answers from where the first one waits.
  Task.detached(executorPreference: executor) {
    for _ in 0..<times { await table.wait() }
    table.isOver = true
    done.signal()
  }
  Task.detached(executorPreference: executor) {
    while !table.isOver { if !table.answer() { await Task.yield() } }
  }
  done.wait()
  return Double(monotonicNanoseconds() - start) / Double(times)
}

/// Where one task waits, and another answers.
private final class Table: @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: UnsafeContinuation<Void, Never>?
  private var over = false

  var isOver: Bool {
    get { lock.withLock { over } }
    set { lock.withLock { over = newValue } }
  }

  func wait() async {
    await withUnsafeContinuation { continuation in lock.withLock { waiting = continuation } }
  }

  func answer() -> Bool {
    let taken = lock.withLock {
      defer { waiting = nil }
      return waiting
    }
    taken?.resume()
    return taken != nil
  }
}

private final class ImmediateExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
