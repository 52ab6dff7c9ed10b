/// The crash of a process: the signal and the state captured at that moment.
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

  /// The last recorded stage of the crash.
  package enum Stage: Sendable {
    /// The process died during the recording.
    case unfinished
    /// The recording is complete.
    case recorded
    /// The handler passed the signal to a handler of the host; nothing was recorded after that.
    case handedToHost
    /// The process continued: a handler of the host recovered from the fault.
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
      /// The crash handler itself faulted, and skipped the part that it was recording.
      case whileRecording
      /// A host handler, to which the signal was forwarded, crashed or aborted.
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

  /// The time of the monotonic clock, in nanoseconds.
  package var monotonic: UInt64
  /// The wall-clock time in nanoseconds since 1970.
  package var wall: UInt64
  package var signal: Int
  /// The signal's `si_code`.
  package var code: Int
  /// The address of the failed access; nil for a signal that was sent.
  package var address: UInt64?
  package var sender: Sender?
  /// True if the processor reported no address: the access used a non-canonical address, or the
  /// instruction was privileged. Linux then sets the code `SI_KERNEL`.
  package var isWithoutAddress: Bool { signal == 11 && code == 0x80 && sender == nil }
  /// The kernel id of the crashed thread.
  package var kernelID: Int
  /// The crashed thread; nil if the process died before the thread was recorded.
  package var thread: CrashThread?
  package var otherThreads: [CrashThread] = []
  package var registers: Registers?
  package var texts: [Text] = []
  package var task: CrashTask?
  /// The values that `withCrumbs` had set on the crashed thread.
  package var crumbContext: [(key: String, value: CrumbValue)] = []
  /// The tasks that other threads ran at the time of the crash, as far as those threads answered.
  package var otherTasks: [CrashTask.OnThread] = []
  /// The tasks that waited for a continuation; nil if they were not tracked.
  package var waiting: WaitingTasks?
  /// The number of tasks; nil if the runtime does not count them.
  package var allTasks: Int?
  /// The stack of the last Swift error that the thread threw, if it was recorded.
  package var thrown: Stack?
  /// The machine code around the interrupted instruction.
  package var codeBytes: Bytes?
  /// The memory at the stack pointer.
  package var stackBytes: Bytes?
  package var others: [Other] = []
  package var stage = Stage.unfinished
  /// The exception name of another system, if it says more than a signal: `EXC_BREAKPOINT
  /// (SIGTRAP)`.
  package var title: String?
  /// The place that a failed check expected: `main queue`.
  package var expected: String?
  /// The number of threads; 0 if the process died before they were counted.
  package var threadCount = 0
  /// The number of threads whose stacks were captured, including the crashed thread.
  package var walkedCount = 0
  /// True if the time limit expired before all threads had captured their stacks.
  package var isOutOfTime = false
  /// True if some threads may be missing from the list of threads.
  package var isListIncomplete = false

  /// The values of `withCrumbs` as text: `with order: 42, item: hammer`; nil without values.
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
