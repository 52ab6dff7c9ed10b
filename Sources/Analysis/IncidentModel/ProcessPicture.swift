/// The state of a process at one moment, read from outside or from its core dump.
package struct ProcessPicture: Sendable {
  /// How consistent the picture is.
  package enum Stop: Hashable, Sendable {
    /// The whole picture was read while the process was stopped, for this number of nanoseconds.
    case stopped(UInt64)
    /// The threads were read while the process was stopped, for this number of nanoseconds; the rest was read
    /// while it ran.
    case partly(UInt64)
    /// The process ran all the time.
    case running
    /// A core dump: the process is dead.
    case dead
  }

  /// When it was taken, in nanoseconds since 1970.
  package var wall: UInt64
  package var stop: Stop
  /// The threads, in the order in which the kernel lists them, each with its stack.
  package var threads: [CrashThread]
  /// The state of each thread by the kernel, by its kernel id: `sleeping`, `running`.
  package var states: [Int: String]
  /// The missing parts of the picture, with reasons: sentences for the reader.
  package var notes: [String]
  /// Its Swift tasks, actors and locks; nil if the picture was made without tasks.
  package var tasks: TaskPicture?

  package init(
    wall: UInt64, stop: Stop, threads: [CrashThread], states: [Int: String] = [:],
    notes: [String] = []
  ) {
    self.wall = wall
    self.stop = stop
    self.threads = threads
    self.states = states
    self.notes = notes
  }
}
