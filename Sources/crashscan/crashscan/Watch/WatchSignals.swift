import Glibc
import Synchronization

/// Requests from signals to a watch; the handlers only set flags.
enum WatchSignals {
  private static let quits = Atomic<Bool>(false)
  private static let stops = Atomic<Bool>(false)
  private static let resizes = Atomic<Bool>(false)

  static var wantsToQuit: Bool { quits.load(ordering: .relaxed) }

  /// Returns true if the user asked to suspend the process since the last call.
  static func takeStop() -> Bool { stops.exchange(false, ordering: .relaxed) }

  /// Returns true if the terminal was resized since the last call.
  static func takeResize() -> Bool { resizes.exchange(false, ordering: .relaxed) }

  static func watchForEnd() {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      handle(signal) { _ in WatchSignals.quits.store(true, ordering: .relaxed) }
    }
  }

  static func watchTerminal() {
    handle(SIGTSTP) { _ in WatchSignals.stops.store(true, ordering: .relaxed) }
    handle(SIGWINCH) { _ in WatchSignals.resizes.store(true, ordering: .relaxed) }
    handle(SIGCONT) { _ in WatchSignals.resizes.store(true, ordering: .relaxed) }
  }

  static func handle(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    sigaction(signal, &action, nil)
    // The parent process may have blocked the signal, and children inherit the mask.
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, signal)
    sigprocmask(SIG_UNBLOCK, &one, nil)
  }
}
