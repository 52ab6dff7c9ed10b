import Glibc
import IncidentModel

extension Crash {
  /// True if the address is that of the failed access, not of the instruction.
  package var isAboutAccess: Bool { signal == Int(SIGSEGV) || signal == Int(SIGBUS) }
}

extension Crash.Stage {
  /// The name in output.
  package var name: String {
    switch self {
    case .unfinished: "unfinished"
    case .recorded: "recorded"
    case .handedToHost: "handed-to-host"
    case .recovered: "recovered"
    }
  }
}

extension CrashThread.Source {
  /// The name in output.
  package var name: String {
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
  /// The name in output.
  package var name: String {
    switch self {
    case .otherThread: "other-thread"
    case .whileRecording: "while-recording"
    case .afterwards: "afterwards"
    }
  }
}

extension WaitingTasks.Kind {
  /// The name in output.
  package var name: String {
    switch self {
    case .continuation: "continuation"
    case .task: "task"
    case .group: "group"
    case .turn: "turn"
    }
  }
}
