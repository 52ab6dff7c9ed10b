import Glibc
import Synchronization

/// Signals that ask crashscan to end, and are passed on to the command.
enum RunSignals {
  static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let last = Atomic<Int32>(0)
  private static let count = Atomic<Int32>(0)

  /// The last signal that came; 0 if none did.
  static var signal: Int32 { last.load(ordering: .relaxed) }
  /// How many came.
  static var arrivals: Int32 { count.load(ordering: .relaxed) }

  /// `SIG_IGN` as a number, for functions cannot be compared.
  private static let ignored = 1

  static func watch() {
    for signal in all {
      var found = sigaction()
      sigaction(signal, nil, &found)
      // `nohup` ignores SIGHUP, and a shell's background job SIGINT.
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
