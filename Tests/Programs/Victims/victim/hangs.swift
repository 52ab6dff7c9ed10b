import Breadcrumbs
import CCrashHandler
import CVictims
import Dispatch
import Foundation

/// Ways in which a main queue stops answering; none of them is a crash.
let hangs: [String: @Sendable () -> Void] = [
  "hang": {
    onceWatched {
      holdMainQueue()
      exitOnceItAnswers()
    }
    RunLoop.main.run()
  },
  "hang-on-worker": {
    onceWatched {
      holdMainQueue()
      exitOnceItAnswers()
    }
    dispatchMain()
  },
  "hang-then-killed": {
    onceWatched {
      holdMainQueue()
      kill(getpid(), SIGKILL)
    }
    RunLoop.main.run()
  },
  "hang-then-profiled": { hangBesideProfiler(start_profiler_of_hang) },
  "profiled-then-hang": { hangBesideProfiler(start_profiler_before_hang) },
  "profiled-twice": { hangBesideProfiler(start_two_profilers) },
  "hang-on-small-stack": {
    onceWatched {
      begin_to_hang_on_small_stack()
      holdMainQueue()
      check_small_stack()
      exitOnceItAnswers()
    }
    dispatchMain()
  },
  "stopped": {
    onceWatched {
      stop_for_a_while(victimLog)
      exit(0)
    }
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

private var victimLog: UnsafeMutableRawPointer { UnsafeMutableRawPointer(crumbs!.log) }

/// A hang is seen only once the main queue has answered, for some services never run theirs.
@Sendable private func onceWatched(_ next: @escaping @Sendable () -> Void) {
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {
    if ms_hang_watch_is_armed() { next() } else { onceWatched(next) }
  }
}

@Sendable private func hangBesideProfiler(
  _ start: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
) {
  onceWatched {
    start(victimLog)
    hang_without_answer()
    exitOnceItAnswers()
  }
  dispatchMain()
}

/// Until the log tells of it.
@inline(never) private func holdMainQueue() {
  // Short naps are mostly waits for a processor where many want one, and no hang.
  while is_hang_recorded(victimLog) == 0 { usleep(200_000) }
}

@Sendable private func exitOnceItAnswers() {
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {
    if is_hang_recorded(victimLog) == 0 { exit(0) } else { exitOnceItAnswers() }
  }
}
