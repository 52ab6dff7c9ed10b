import IncidentModel

/// A process whose state can be read: a running process, or a core dump.
package protocol ProcessSource: AnyObject {
  var id: Int { get }
  var executable: String { get }
  /// Directories and files with the files of the process's modules, for symbols.
  var symbolPlaces: [String] { get }
  /// The number of processors that the process may use; nil if unknown.
  var processors: Int? { get }
  /// The files that are mapped as code.
  var modules: [Module] { get }
  /// False if parts of the memory are missing.
  var isMemoryWhole: Bool { get }

  /// Reads the threads, and runs `body` while the process is stopped, if a stop is possible. Walks
  /// no stacks.
  func capture(
    whileStopped body: (any MemoryImage, [NativeThread]) -> Void
  ) throws(ProcessFailure) -> ProcessCapture
}

extension ProcessSource {
  package var isMemoryWhole: Bool { true }
}

/// The state of a process at one moment.
package struct ProcessCapture {
  package var memory: any MemoryImage
  var extents: [Range<UInt64>]
  package var threads: [NativeThread]
  package var wall: UInt64
  package var stop: ProcessPicture.Stop
  package var notes: [String]

  /// The picture of the process, with the stacks of the threads.
  package func picture() -> ProcessPicture {
    let stacks = stacks()
    let threads = threads.map { thread in
      CrashThread(
        kernelID: thread.kernelID, ordinal: nil, name: thread.name, queue: nil, onMain: .unknown,
        stack: stacks(thread), source: source(of: thread))
    }
    let states = self.threads.compactMap { thread in thread.state.map { (thread.kernelID, $0) } }
    return ProcessPicture(
      wall: wall, stop: stop, threads: threads, states: Dictionary(states) { first, _ in first },
      notes: notes)
  }

  /// A function that walks the stack of a thread.
  func stacks() -> (NativeThread) -> Stack {
    let walker = StackWalker(memory, extents: extents)
    return { thread in
      thread.registers.map { walker.stack($0) } ?? Stack(frames: [], end: .unavailable)
    }
  }

  private func source(of thread: NativeThread) -> CrashThread.Source {
    if thread.registers == nil { return .noAnswer }
    return thread.isExact ? .rules : .framePointers
  }
}
