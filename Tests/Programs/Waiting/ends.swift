import CCrashHandler
import Dispatch
import Foundation

/// To the process: Dispatch's own threads block it.
func quit() { kill(getpid(), SIGQUIT) }

@inline(never) func crash() { print(UnsafePointer<Int>(bitPattern: 8)!.pointee) }

func quitSoon() {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) { quit() }
}

/// Ends the process when that many tasks have begun to wait; a moment is theirs to come to rest.
func endOnceWaiting(_ tasks: Int, before: @escaping @Sendable () async -> Void = {}) {
  Task.detached {
    while unanswered.withLock({ $0.count }) < tasks - 1 { usleep(1000) }
    usleep(100_000)
    await before()
    quit()
  }
}

/// Calls `handler` at each signal, and prints a line once it will.
func hear(_ signal: Int32, _ handler: @escaping @Sendable () -> Void) {
  let source = DispatchSource.makeSignalSource(signal: signal)
  source.setEventHandler(handler: handler)
  source.setRegistrationHandler {
    print("ready")
    fflush(nil)
  }
  source.activate()
  _ = Unmanaged.passRetained(source as AnyObject)
}

/// A hang is seen only once the main queue has answered.
@Sendable func onceWatched(_ next: @escaping @Sendable () -> Void) {
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {
    if ms_hang_watch_is_armed() { next() } else { onceWatched(next) }
  }
}
