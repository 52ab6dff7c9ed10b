/// The state of a process at one moment, read from outside or from its core dump.
package struct ProcessPicture: Sendable {
  /// The consistency of the picture.
  package enum Stop: Hashable, Sendable {
    /// The whole picture was read while the process was stopped, for this number of nanoseconds.
    case stopped(UInt64)
    /// The threads were read while the process was stopped, for this number of nanoseconds; the
    /// rest was read while the process ran.
    case partly(UInt64)
    /// The process ran while the picture was read.
    case running
    /// The picture was read from a core dump.
    case dead
  }

  /// The time of the picture, in nanoseconds since 1970.
  package var wall: UInt64
  package var stop: Stop
  /// The threads, in the order in which the kernel lists them, each with its stack.
  package var threads: [CrashThread]
  /// The state of each thread according to the kernel, by kernel id: `sleeping`, `running`.
  package var states: [Int: String]
  /// The missing parts of the picture, with the reasons, as sentences for the user.
  package var notes: [String]
  /// The process's Swift tasks, actors and locks; nil if the picture was made without tasks.
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
