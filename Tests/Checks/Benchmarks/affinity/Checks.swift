import BenchmarkHarness
import Dispatch
import Foundation
import ThreadAffinity

/// Compares the cost of a check, on its queue and off its queue, with that of the system's checks.
///
/// The system's checks trap when they fail, so failing checks are compared with the system's check that passes.
/// The cost of an empty loop is measured in each round, and subtracted.
struct CheckBenchmark {
  private let queue = DispatchQueue(label: "bench.queue")
  private let other = Affinity.queue(DispatchQueue(label: "bench.other"))

  func run() throws {
    let times = withoutLoop(measure([loop] + passing + onQueue + offMain))
    func row(_ subject: String, _ peer: String, _ aim: Double? = nil) throws {
      try Row(subject, ours: times[subject]!, peer: times[peer]!, peerName: peer, aim: aim).print()
    }
    let precondition = "dispatchPrecondition"
    try row("MainQueue.isCurrent", precondition, 0.1)
    try row("expectMainQueue", precondition, 0.1)
    try row("expectMainQueue", "MainActor.preconditionIsolated")
    try row("expectMainQueue", "Thread.isMainThread")
    try row("Affinity.main.expect", precondition, 0.1)
    try row("uiWork, unrecorded", precondition)
    try row("assumingMainQueue", "MainActor.preconditionIsolated")
    try row("affinity.expect on its serial queue", precondition, 0.1)
    try row("affinity.expect on its serial queue", "dispatchPrecondition of a stored queue")
    try row("MainQueue.isCurrent off main", precondition, 0.25)
    try row("affinity.isCurrent off its queue", precondition, 0.25)
    try row("MainQueue.isCurrent on a thread outside Dispatch", precondition, 0.25)
  }

  private var loop: Subject { Subject(name: "loop") { blackHole(true) } }

  /// Returns the times without the time of the empty loop in the same round.
  private func withoutLoop(_ times: [String: [Double]]) -> [String: [Double]] {
    times.mapValues { figures in zip(figures, times[loop.name]!).map { max($0 - $1, 0) } }
  }

  private var passing: [Subject] {
    [
      Subject(name: "MainQueue.isCurrent") { blackHole(MainQueue.isCurrent) },
      Subject(name: "expectMainQueue") { blackHole(expectMainQueue("\(CommandLine.arguments)")) },
      Subject(name: "Affinity.main.expect") { blackHole(Affinity.main.expect()) },
      Subject(name: "assumingMainQueue") { blackHole(assumingMainQueue { true } ?? false) },
      Subject(name: "uiWork, unrecorded") { blackHole(uiWork("bench") { true }) },
      Subject(name: "dispatchPrecondition") {
        dispatchPrecondition(condition: .onQueue(.main))
        blackHole(true)
      },
      Subject(name: "MainActor.preconditionIsolated") {
        MainActor.preconditionIsolated()
        blackHole(true)
      },
      Subject(name: "Thread.isMainThread") { blackHole(Thread.isMainThread) },
    ]
  }

  private var onQueue: [Subject] {
    let own = Affinity.queue(queue)
    return [
      Subject(name: "affinity.expect on its serial queue", enter: enterQueue) {
        blackHole(own.expect("\(CommandLine.arguments)"))
      },
      Subject(name: "dispatchPrecondition of a stored queue", enter: enterQueue) {
        dispatchPrecondition(condition: .onQueue(queue))
        blackHole(true)
      },
    ]
  }

  private var offMain: [Subject] {
    [
      Subject(name: "MainQueue.isCurrent off main", enter: enterQueue) {
        blackHole(MainQueue.isCurrent)
      },
      Subject(name: "affinity.isCurrent off its queue", enter: enterQueue) {
        blackHole(other.isCurrent)
      },
      Subject(name: "MainQueue.isCurrent on a thread outside Dispatch", enter: enterThread) {
        blackHole(MainQueue.isCurrent)
      },
    ]
  }

  /// Runs `body` on a queue that is not the main queue.
  private func enterQueue(_ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    let done = DispatchSemaphore(value: 0)
    queue.async {
      body()
      done.signal()
    }
    done.wait()
  }

  private func enterThread(_ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }
}

/// Keeps the optimizer from removing the computation of `value`.
@_optimize(none) func blackHole(_ value: Bool) {}
