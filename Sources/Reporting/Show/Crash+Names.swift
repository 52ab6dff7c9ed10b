import Glibc
import IncidentModel

extension Crash {
  /// The signal's name.
  var signalName: String { Reporting.signalName(signal) }

  /// Whether its address is what could not be accessed, and not just where it was.
  var isAboutAccess: Bool { signal == Int(SIGSEGV) || signal == Int(SIGBUS) }
}

extension Crash.Stage {
  /// The name that output uses.
  var name: String {
    switch self {
    case .unfinished: "unfinished"
    case .recorded: "recorded"
    case .handedToHost: "handed-to-host"
    case .recovered: "recovered"
    }
  }
}

extension CrashThread.Source {
  /// The name that output uses.
  var name: String {
    switch self {
    case .rules: "rules"
    case .framePointers: "frame-pointers"
    case .libunwind: "libunwind"
    case .blocked: "blocked"
    case .noAnswer: "no-answer"
    case .gone: "gone"
    case .lost: "lost"
    case .noRoom: "no-room"
    case .routine: "routine"
    }
  }
}

extension Crash.Other.Role {
  /// The name that output uses.
  var name: String {
    switch self {
    case .otherThread: "other-thread"
    case .whileRecording: "while-recording"
    case .afterwards: "afterwards"
    }
  }
}

/// The name of a signal that ends a process; its number where it has none.
package func signalName(_ signal: Int) -> String {
  let names: [Int32: String] = [
    SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
    SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGQUIT: "SIGQUIT", SIGTERM: "SIGTERM",
    SIGINT: "SIGINT", SIGHUP: "SIGHUP", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM",
    SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
  ]
  return Int32(exactly: signal).flatMap { names[$0] } ?? "signal \(signal)"
}
