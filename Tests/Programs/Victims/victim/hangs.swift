import Breadcrumbs
import CVictims
import Dispatch
import Foundation

/// Ways in which a main queue stops answering; none of them is a crash.
let hangs: [String: @Sendable () -> Void] = [
  "hang": {
    hangSoon()
    RunLoop.main.run()
  },
  "hang-on-worker": {
    hangSoon()
    dispatchMain()
  },
  "hang-then-killed": {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.7)
      kill(getpid(), SIGKILL)
    }
    hangSoon(for: 60)
    RunLoop.main.run()
  },
  "hang-then-profiled": { hangBesideProfiler(start_profiler_of_hang) },
  "profiled-then-hang": { hangBesideProfiler(start_profiler_before_hang) },
  "profiled-twice": { hangBesideProfiler(start_two_profilers) },
  "hang-on-small-stack": {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
      begin_to_hang_on_small_stack()
      holdMainQueue(for: 0.5)
      check_small_stack()
      exitSoon()
    }
    dispatchMain()
  },
  "stopped": {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) { stop_for_a_while() }
    exitSoon()
    RunLoop.main.run()
  },
  "no-main-queue": { Thread.sleep(forTimeInterval: 0.8) },
  "terminated": {
    kill(getpid(), SIGTERM)
    Thread.sleep(forTimeInterval: 60)
  },
  "killed": { kill(getpid(), SIGKILL) },
  "clean": {},
]

@Sendable private func hangSoon(for seconds: TimeInterval = 0.5) {
  DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
    holdMainQueue(for: seconds)
    exitSoon()
  }
}

@Sendable private func hangBesideProfiler(_ start: @escaping @Sendable () -> Void) {
  DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
    start()
    hang_without_answer()
    exitSoon()
  }
  dispatchMain()
}

@inline(never) private func holdMainQueue(for seconds: TimeInterval) {
  Thread.sleep(forTimeInterval: seconds)
}

@Sendable private func exitSoon() {
  DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) { exit(0) }
}
