import CTruth
import Dispatch
import Foundation
import Synchronization

extension Context {
  /// Constructs that run at once, on the thread they start on; and some that only seem to.
  static let inPlace: [Context] = [
    inPlace("here") { probe() },
    inPlace("q1.sync") { Queues.q1.sync { probe() } },
    inPlace("q1.sync(barrier)") { Queues.q1.sync(flags: .barrier) { probe() } },
    inPlace("qC.sync") { Queues.concurrent.sync { probe() } },
    inPlace("qC.sync(barrier)") { Queues.concurrent.sync(flags: .barrier) { probe() } },
    inPlace("q1.sync{q2.sync}") { Queues.q1.sync { Queues.q2.sync { probe() } } },
    inPlace("qC.sync{q1.sync}") { Queues.concurrent.sync { Queues.q1.sync { probe() } } },
    inPlace("bg.sync") { Queues.background.sync { probe() } },
    inPlace("q1.asyncAndWait") { asyncAndWait(Queues.q1) { probe() } },
    inPlace("q1 busy, q1.asyncAndWait") {
      keepBusy(Queues.q1)
      asyncAndWait(Queues.q1) { probe() }
    },
    inPlace("q1 busy, q1.sync") {
      keepBusy(Queues.q1)
      Queues.q1.sync { probe() }
    },
    inPlace("WorkItem.perform") { DispatchWorkItem { probe() }.perform() },
    inPlace("concurrentPerform caller") { performConcurrently(probingCaller: true) },
    inPlace("concurrentPerform helper", .elsewhere) { performConcurrently(probingCaller: false) },
    inPlace("qC.sync{concurrentPerform caller}") {
      Queues.concurrent.sync { performConcurrently(probingCaller: true) }
    },
    inPlace("qC.sync{concurrentPerform helper}", .elsewhere) {
      Queues.concurrent.sync { performConcurrently(probingCaller: false) }
    },
    inPlace("fork child") { probeInForkedChild() },
    inPlace("signal handler (raise)") { truth_raise(SIGUSR1) { probe() } },
    inPlace("closure in withExtendedLifetime") { withExtendedLifetime(Queues.q1) { probe() } },
    inPlace("q1.sync{RunLoop.run{main.async}}", .main) {
      DispatchQueue.main.async { probe() }
      Queues.q1.sync { runLoopBriefly() }
    },
    inPlace("qC.sync{RunLoop.run{main.async}}", .main) {
      DispatchQueue.main.async { probe() }
      Queues.concurrent.sync { runLoopBriefly() }
    },
    inPlace("q1.sync{RunLoop.run{Timer}}") {
      Queues.q1.sync {
        RunLoop.current.add(
          Timer(timeInterval: 0.005, repeats: false) { _ in probe() }, forMode: .default)
        runLoopBriefly()
      }
    },
  ]

  private static func inPlace(
    _ name: String, _ destination: Destination = .origin, _ run: @escaping @Sendable () -> Void
  ) -> Context {
    Context(name, destination, inPlace: true, run)
  }
}

/// Runs the loop of this thread, long enough for what is due.
func runLoopBriefly() {
  _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.2))
  RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))
}

/// Occupies a queue, and returns while it is occupied.
func keepBusy(_ queue: DispatchQueue) {
  let busy = DispatchSemaphore(value: 0)
  queue.async {
    busy.signal()
    usleep(20_000)
  }
  busy.wait()
}

func asyncAndWait(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
  let box = Unmanaged.passRetained(Box(body))
  truth_async_and_wait(queue.raw, box.toOpaque()) { context in
    Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
  }
}

final class Box: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Probes on the calling thread of a `concurrentPerform`, or on one of its helpers, whichever iteration it
/// comes to first: that ends the process.
func performConcurrently(probingCaller: Bool) {
  let caller = pthread_self()
  DispatchQueue.concurrentPerform(iterations: 1_000_000) { _ in
    if (pthread_self() == caller) == probingCaller {
      probe()
    } else {
      usleep(5_000)  // leaves iterations to the others
    }
  }
}

/// Probes in a forked child; the parent then ends as the child did.
func probeInForkedChild() {
  // What is made once, on first use, is made before: the child has no thread to finish it.
  _ = answers()
  let child = truth_fork()
  if child == 0 { probe() }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0 {}
  if status & 0x7f == 0 { _exit(status >> 8) }
  signal(status & 0x7f, SIG_DFL)
  kill(getpid(), status & 0x7f)
}
