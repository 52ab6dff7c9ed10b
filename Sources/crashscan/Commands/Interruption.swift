import Glibc
import Synchronization

/// Notices Ctrl-C, so that what is being written can be brought to an end; a second one kills.
enum Interruption {
  private static let came = Atomic<Bool>(false)

  static var hasCome: Bool { came.load(ordering: .relaxed) }

  static func watch() {
    came.store(false, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      Interruption.came.store(true, ordering: .relaxed)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    sigaction(SIGINT, &action, nil)
    // Whoever started this may have had it blocked, and such is inherited.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    sigprocmask(SIG_UNBLOCK, &interrupt, nil)
  }
}
