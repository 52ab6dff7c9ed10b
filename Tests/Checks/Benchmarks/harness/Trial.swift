import CPeers
import Foundation
import Synchronization

/// One contender on new threads, each pinned to one core.
final class Trial: Sendable {
  struct Outcome {
    var perCall = 0.0
    var singles: [Double] = []
  }

  let outcomes: Mutex<[Outcome]>
  private let contender: Contender
  private let threads: Int
  private let calls: Int
  private let singles: Int
  private let arrived = Atomic(0)

  init(_ contender: Contender, threads: Int, calls: Int, singles: Int) {
    self.contender = contender
    self.threads = threads
    self.calls = calls
    self.singles = singles
    outcomes = Mutex(Array(repeating: Outcome(), count: threads))
  }

  func run() {
    let done = DispatchSemaphore(value: 0)
    for thread in 0..<threads {
      Thread { [self] in
        _ = bench_pin(Int32(thread))
        let outcome = work(thread)
        outcomes.withLock { $0[thread] = outcome }
        done.signal()
      }.start()
    }
    for _ in 0..<threads { done.wait() }
  }

  private func work(_ thread: Int) -> Outcome {
    var outcome = Outcome()
    let ticks = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: singles)
    ticks.initialize(repeating: 0)
    defer { ticks.deallocate() }
    contender.place {
      withStack(of: contender.frames) {
        // The first calls of a thread differ from the later ones.
        contender.loop(thread, max(1_000, calls / 10))
        meet(1)
        let start = bench_thread_time()
        contender.loop(thread, calls)
        outcome.perCall = Double(bench_thread_time() - start) / Double(calls)
        meet(2)
        contender.singles(thread, ticks)
      }
    }
    outcome.singles = ticks.map { Clock.shared.nanoseconds($0) }
    return outcome
  }

  /// Waits until every thread has made its `time`-th call of this function.
  private func meet(_ time: Int) {
    arrived.add(1, ordering: .acquiringAndReleasing)
    while arrived.load(ordering: .acquiring) < threads * time { sched_yield() }
  }
}
