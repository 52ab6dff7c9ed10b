/// The state of a process at one moment, read from outside or from its core dump.
package struct ProcessPicture: Sendable {
  /// How consistent the picture is.
  package enum Stop: Hashable, Sendable {
    /// All of it was read while the process stood still, for this long in nanoseconds; nothing moved meanwhile.
    case stopped(UInt64)
    /// The threads were read while the process stood still, for this long in nanoseconds; what takes longer to read
    /// was read while it ran.
    case partly(UInt64)
    /// The process ran all the time.
    case running
    /// A core dump: the process is dead.
    case dead
  }

  package var stop: Stop
  /// The threads, in the order in which the kernel lists them, each with its stack.
  package var threads: [CrashThread]
  /// What the kernel says that a thread does, by its kernel id: `sleeping`, `running`.
  package var states: [Int: String]
  /// What the picture lacks, and why: sentences for the reader.
  package var notes: [String]

  package init(
    stop: Stop, threads: [CrashThread], states: [Int: String] = [:], notes: [String] = []
  ) {
    self.stop = stop
    self.threads = threads
    self.states = states
    self.notes = notes
  }
}
