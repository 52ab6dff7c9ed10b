/// Maps signal numbers of Linux to names, and names to numbers.
package enum SignalName {
  /// The name of a signal, such as `SIGSEGV`; `signal 42` if the signal has no name.
  package static func of(_ number: Int) -> String { names[number] ?? "signal \(number)" }

  /// The Linux number of the signal called `name`.
  package static func number(of name: String) -> Int? { numbers[name] }

  /// The name of a signal that an Apple system numbers `number`.
  package static func ofApple(_ number: Int) -> String { appleNames[number] ?? of(number) }

  private static let names = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
    8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE",
    14: "SIGALRM", 15: "SIGTERM", 16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP",
    20: "SIGTSTP", 21: "SIGTTIN", 22: "SIGTTOU", 23: "SIGURG", 24: "SIGXCPU", 25: "SIGXFSZ",
    26: "SIGVTALRM", 27: "SIGPROF", 28: "SIGWINCH", 29: "SIGIO", 30: "SIGPWR", 31: "SIGSYS",
  ]

  private static let numbers = Dictionary(
    uniqueKeysWithValues: names.map { number, name in (name, number) })

  /// The signals whose Apple numbers differ from Linux's.
  private static let appleNames = [
    7: "SIGEMT", 10: "SIGBUS", 12: "SIGSYS", 16: "SIGURG", 17: "SIGSTOP", 18: "SIGTSTP",
    19: "SIGCONT", 20: "SIGCHLD", 23: "SIGIO", 29: "SIGINFO", 30: "SIGUSR1", 31: "SIGUSR2",
  ]
}
