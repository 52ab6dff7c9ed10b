/// A thread at the moment of a crash.
package struct CrashThread: Hashable, Sendable {
  /// The method that captured the stack, or the reason why there is no stack.
  package enum Source: UInt8, Sendable {
    case rules = 0
    case framePointers = 1
    case libunwind = 2
    /// The thread blocks the signal that requests its stack.
    case blocked = 3
    case noAnswer = 4
    case gone = 5
    /// Every stack walk faulted.
    case lost = 6
    /// The thread's stack had too little space for a walk, and no spare stack was free.
    case noRoom = 7
    /// Only the instruction was captured, because the host's handler had recovered from faults
    /// there repeatedly.
    case routine = 8
  }

  package var kernelID: Int
  /// The thread's ordinal among the threads that recorded crumbs; nil if the thread recorded none.
  package var ordinal: Int?
  package var name: String
  package var queue: Queue?
  package var onMain: Crumb.OnMain
  package var stack: Stack
  package var source: Source
  /// The ordinal of the thread that holds what this thread waits for; nil if the report does not
  /// state it.
  package var waitsFor: Int?

  package init(
    kernelID: Int, ordinal: Int?, name: String, queue: Queue?, onMain: Crumb.OnMain, stack: Stack,
    source: Source
  ) {
    self.kernelID = kernelID
    self.ordinal = ordinal
    self.name = name
    self.queue = queue
    self.onMain = onMain
    self.stack = stack
    self.source = source
  }
}

/// The task that a thread ran when it crashed.
package struct CrashTask: Hashable, Sendable {
  package var id: UInt64
  /// The task's name in the program; nil if the task has no name, or if the name could not be read.
  package var name: String?
  /// The parent task; nil if the task is not a child, or if the parent is unknown.
  package var parent: UInt64?
  package var priority: Priority?
  /// The executor of the task; nil if unknown.
  package var place: Place?
  /// The address of the actor or executor; 0 for tasks outside actors.
  package var executor: UInt64 = 0

  package init(id: UInt64) { self.id = id }

  /// The priority of a task, as Swift's `TaskPriority` numbers it.
  package struct Priority: Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package var words: String {
      switch rawValue {
      case 33: "user-interactive"
      case 25: "high"
      case 21: "medium"
      case 17: "low"
      case 9: "background"
      default: "priority \(rawValue)"
      }
    }
  }

  /// The executor of a task.
  package enum Place: Hashable, Sendable {
    case noActor
    case mainActor
    /// An actor of this type; the text is empty if the type is unknown.
    case actor(String)
    /// A custom executor of this type; the text is empty if the type is unknown.
    case executor(String)

    package var words: String {
      switch self {
      case .noActor: "on no actor"
      case .mainActor: "on MainActor"
      case .actor(let type): type.isEmpty ? "on an actor" : "on \(type)"
      case .executor(let type): type.isEmpty ? "on an executor" : "on executor \(type)"
      }
    }
  }

  /// The task as text: `task 42 “GET /stock” (child of 41, medium) on Ledger`.
  package var words: String {
    let name = name.map { " “\($0)”" } ?? ""
    let kin = [parent.map { "child of \($0)" }, priority?.words].compactMap(\.self)
    let about = kin.isEmpty ? "" : " (\(kin.joined(separator: ", ")))"
    return "task \(id)\(name)\(about)" + (place.map { " \($0.words)" } ?? "")
  }

  /// The task that another thread ran at the time of the crash.
  package struct OnThread: Hashable, Sendable {
    package var kernelID: Int
    package var task: CrashTask

    package init(kernelID: Int, task: CrashTask) {
      self.kernelID = kernelID
      self.task = task
    }
  }
}

/// The contents of the processor's registers.
package struct Registers: Hashable, Sendable {
  package enum Machine: UInt32, Sendable {
    case x86_64 = 62
    case aarch64 = 183

    /// The registers' names, in the order of their values.
    package var names: [String] {
      switch self {
      case .x86_64:
        ["rip", "rsp", "rbp", "rax", "rbx", "rcx", "rdx", "rsi", "rdi"]
          + (8...15).map { "r\($0)" } + ["rflags", "err", "trapno", "cr2"]
      case .aarch64:
        ["pc", "sp"] + (0...30).map { "x\($0)" } + ["pstate", "fault_address"]
      }
    }
  }

  package var machine: Machine
  package var values: [UInt64]

  package init(machine: Machine, values: [UInt64]) {
    self.machine = machine
    self.values = values
  }

  /// The value of the register called `name`.
  package subscript(name: String) -> UInt64? {
    machine.names.firstIndex(of: name).flatMap { $0 < values.count ? values[$0] : nil }
  }
}
