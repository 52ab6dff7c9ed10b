/// The end of a process: the signal, and all that was seen at that moment.
package struct Crash: Sendable {
  /// The sender of a signal that was not raised by a fault.
  package struct Sender: Hashable, Sendable {
    package var process: Int
    package var user: Int

    package init(process: Int, user: Int) {
      self.process = process
      self.user = user
    }
  }

  /// How the recording itself ended.
  package enum Stage: Sendable {
    /// The process died during the recording.
    case unfinished
    /// The recording is complete.
    case recorded
    /// A handler of the host's had it, and was not heard of again.
    case handedToHost
    /// The process went on: it was no crash after all.
    case recovered
  }

  /// The last message of a library before it ended the process.
  package enum Text: Hashable, Sendable {
    case swift(String)
    case cLibrary(String)
    case exceptionType(mangled: String)
    case exception(String)
  }

  /// Another signal that arrived while this crash was recorded or forwarded.
  package struct Other: Hashable, Sendable {
    package enum Role: Sendable {
      /// Another thread crashed.
      case otherThread
      /// The recording itself met a fault, and left a part out.
      case whileRecording
      /// A handler that the signal was handed to crashed or aborted.
      case afterwards
    }

    package var role: Role
    package var signal: Int
    package var kernelID: Int

    package init(role: Role, signal: Int, kernelID: Int) {
      self.role = role
      self.signal = signal
      self.kernelID = kernelID
    }
  }

  /// Bytes of the process's memory.
  package struct Bytes: Hashable, Sendable {
    package var address: UInt64
    package var bytes: [UInt8]

    package init(address: UInt64, bytes: [UInt8]) {
      self.address = address
      self.bytes = bytes
    }
  }

  /// Nanoseconds of the machine's monotonic clock.
  package var monotonic: UInt64
  /// Nanoseconds since 1970.
  package var wall: UInt64
  package var signal: Int
  /// The signal's `si_code`.
  package var code: Int
  /// The address of the failed access; nil for a signal that was sent.
  package var address: UInt64?
  package var sender: Sender?
  /// Whether the processor refused the access without saying where: by a pointer that is no address, or by an
  /// instruction that is not allowed. The code is Linux's `SI_KERNEL`.
  package var isWithoutAddress: Bool { signal == 11 && code == 0x80 && sender == nil }
  /// The thread's kernel id.
  package var kernelID: Int
  /// Nil if the process died before it was written.
  package var thread: CrashThread?
  package var otherThreads: [CrashThread] = []
  package var registers: Registers?
  package var texts: [Text] = []
  package var task: CrashTask?
  /// The values that `withCrumbs` had set on the crashed thread.
  package var crumbContext: [(key: String, value: CrumbValue)] = []
  /// The tasks that other threads ran meanwhile, of those that answered.
  package var otherTasks: [CrashTask.OnThread] = []
  /// The tasks that waited for a continuation; nil if they were not tracked.
  package var waiting: WaitingTasks?
  /// The number of tasks; nil if the runtime does not count them.
  package var allTasks: Int?
  /// The stack of the last Swift error that the thread threw, if it was recorded.
  package var thrown: Stack?
  /// Around the instruction that was running.
  package var codeBytes: Bytes?
  /// From the top of the stack.
  package var stackBytes: Bytes?
  package var others: [Other] = []
  package var stage = Stage.unfinished
  /// The name of the exception on other systems, if more than a signal: `EXC_BREAKPOINT (SIGTRAP)`.
  package var title: String?
  /// The place that a failed check expected: `main queue`.
  package var expected: String?
  /// How many threads there were; 0 if the process died before they were counted.
  package var threadCount = 0
  /// How many of them gave their stacks, the crashed one among them.
  package var walkedCount = 0
  /// Whether time ran out before all threads had given their stacks.
  package var isOutOfTime = false
  /// Whether there may have been threads that could not even be listed.
  package var isListIncomplete = false

  /// `with order: 42, item: hammer`; nil without values.
  package var contextWords: String? {
    if crumbContext.isEmpty { return nil }
    return "with " + crumbContext.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }

  package init(
    monotonic: UInt64, wall: UInt64, signal: Int, code: Int, address: UInt64?, sender: Sender?,
    kernelID: Int
  ) {
    self.monotonic = monotonic
    self.wall = wall
    self.signal = signal
    self.code = code
    self.address = address
    self.sender = sender
    self.kernelID = kernelID
  }
}
