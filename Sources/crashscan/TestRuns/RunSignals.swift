import Glibc
import Synchronization

/// The termination signals of crashscan, which are forwarded to the command.
enum RunSignals {
  static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let last = Atomic<Int32>(0)
  private static let count = Atomic<Int32>(0)

  /// The last signal that was received; 0 if none was.
  static var signal: Int32 { last.load(ordering: .relaxed) }
  /// The number of received signals.
  static var arrivals: Int32 { count.load(ordering: .relaxed) }

  /// `SIG_IGN` as a number, because functions cannot be compared.
  private static let ignored = 1

  static func watch() {
    // The handler lets the end of a child process interrupt `poll`.
    var childEnded = sigaction()
    childEnded.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGCHLD, &childEnded, nil)
    for signal in all {
      var found = sigaction()
      sigaction(signal, nil, &found)
      // Ignored signals stay ignored: `nohup` ignores SIGHUP, and a shell ignores SIGINT in a
      // background job.
      if unsafeBitCast(found.__sigaction_handler.sa_handler, to: Int.self) == ignored { continue }
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        RunSignals.last.store(number, ordering: .relaxed)
        RunSignals.count.add(1, ordering: .relaxed)
      }
      sigaction(signal, &action, nil)
    }
  }
}
