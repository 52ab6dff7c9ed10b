import Dispatch
import Foundation
import Synchronization

/// What nobody ever answers.
let unanswered = Mutex<[CheckedContinuation<Void, Never>]>([])

@inline(never) func askForPrices() async {
  await withCheckedContinuation { continuation in unanswered.withLock { $0.append(continuation) } }
}

@inline(never) func askForStock() async {
  await withCheckedContinuation { continuation in unanswered.withLock { $0.append(continuation) } }
}

@inline(never) func loseTheAnswer() async {
  await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
}

/// A server: it waits for one request after the other, and the last does not come.
func waitOften(_ times: Int) async {
  let requests = Desk()
  Task.detached { while true { await requests.wait() } }
  for _ in 0..<times { await requests.serve() }
}

func answerAtOnce() async { await withCheckedContinuation { $0.resume() } }

func answerElsewhere() async {
  await withUnsafeContinuation { continuation in
    DispatchQueue.global().async { continuation.resume() }
  }
}

@inline(never) func askUntilCancelled() async {
  let asked = Desk()
  await withTaskCancellationHandler {
    await asked.wait()
  } onCancel: {
    asked.answer()
  }
}

/// Where one task waits at a time.
final class Desk: Sendable {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  @inline(never) func wait() async {
    await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
  }

  /// Waits until somebody waits, and answers.
  func answer() {
    while true {
      let taken = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      if let taken { return taken.resume() }
      usleep(1000)
    }
  }

  func serve() async {
    answer()
    await Task.yield()
  }
}

/// What the runtime after 6.3 has, and this process too, to see that it is asked.
@_cdecl("_swift_concurrency_debug_task_registryCount")
public func countOfTasks() -> Int { countedTasks }

nonisolated(unsafe) var countedTasks = 0

/// An actor that one task holds for as long as the process lives.
actor Ledger {
  private nonisolated let held = Atomic(false)

  nonisolated var isHeld: Bool { held.load(ordering: .acquiring) }

  func hold() {
    held.store(true, ordering: .releasing)
    while true { usleep(100_000) }
  }

  private var posts = 0

  /// Not without effect: else the optimizer does not go there.
  func post() { posts += 1 }
}

/// One task for each thing there is to wait for, and one that holds an actor.
func waitForEachKind() {
  let ledger = Ledger()
  Task.detached { await ledger.hold() }
  while !ledger.isHeld { usleep(1000) }
  let asked = Task.detached { await askForStock() }
  Task.detached { await asked.value }
  Task.detached { await withTaskGroup(of: Void.self) { $0.addTask { await askForPrices() } } }
  for _ in 0..<2 {
    Task.detached {
      await answerElsewhere()
      await ledger.post()
    }
  }
}
