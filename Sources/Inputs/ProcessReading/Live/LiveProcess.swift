import CProcessMemory
import Glibc
import IncidentModel

/// A running process, read from outside.
package final class LiveProcess: ProcessSource {
  package struct Options: Sendable {
    /// The maximum duration of a stop in nanoseconds; nil reads the process while it runs. The
    /// default leaves a margin below the documented 100 ms for ending the stop.
    package var stop: UInt64?

    package init(stop: UInt64? = 90_000_000) { self.stop = stop }
  }

  package let id: Int
  package let executable: String
  /// Directories and files with the files of the process's modules, as the process sees them: its
  /// root directory, and its executable even if that file was deleted.
  package var symbolPlaces: [String] { ["/proc/\(id)/root", "/proc/\(id)/exe"] }

  package var modules: [Module] { memory.modules }

  /// The number of processors that the process may use, which is also the number of threads that
  /// Dispatch gives a pool.
  package var processors: Int? {
    ProcessStatus(of: id).map(\.processors).flatMap { $0 > 0 ? $0 : nil }
  }

  private let memory: ProcessMemory
  private let files: ThreadFiles
  private let options: Options

  /// Opens the memory of a process. Requires the permission to trace the process.
  package init(_ id: Int, options: Options = Options()) throws(ProcessFailure) {
    self.id = id
    self.options = options
    files = ThreadFiles(process: id)
    executable = try Self.executable(of: id)
    do { memory = try ProcessMemory(process: id) } catch {
      throw ProcessFailure(id, .opening, code: error.code)
    }
  }

  /// The path of the executable. Throws an error with the reason if the process has no readable
  /// memory, because the kernel reports no reason.
  private static func executable(of id: Int) throws(ProcessFailure) -> String {
    guard let status = ProcessStatus(of: id) else { throw .gone(id, .actual) }
    let name = "process \(id) (\(status.name))"
    if id == getpid() { throw ProcessFailure("\(name): crashscan cannot attach to itself") }
    if status.threadGroup != id {
      let owner = ProcessStatus(of: status.threadGroup)?.name ?? ""
      throw ProcessFailure(
        "\(id) is a thread of process \(status.threadGroup) (\(owner)): use crashscan attach \(status.threadGroup)"
      )
    }
    if status.isKernelThread {
      throw ProcessFailure(
        "\(name): a thread of the kernel, which has no memory of its own and no program")
    }
    if status.state == "Z" { throw .ended(name, status) }
    let header = ProcessFiles.read("/proc/\(id)/exe", atMost: 64) ?? []
    if header.starts(with: Array("\u{7f}ELF".utf8)), header.count >= 20 {
      let machine = UInt16(header[18]) | UInt16(header[19]) << 8
      guard header[4] == UInt8(ELFCLASS64), Registers.Machine(elf: machine) == .here else {
        throw ProcessFailure(
          """
          \(name): a program for another processor (ELF class \(header[4]), machine \(machine)): crashscan reads processes \
          of its own architecture, and cores of x86_64 and aarch64
          """)
      }
    }
    return ProcessFiles.link("/proc/\(id)/exe") ?? status.name
  }

  package func capture(
    whileStopped body: (any MemoryImage, [NativeThread]) -> Void
  ) throws(ProcessFailure) -> ProcessCapture {
    // A stopped thread no longer shows its own state.
    let listed = listedThreads
    guard let budget = options.stop else {
      refreshMappings()
      let threads = listed.map(running)
      let snapshot = StackSnapshot.take(of: threads, in: memory)
      body(snapshot, threads)
      let note = """
        the process was not stopped: stacks were walked by frame pointers, so frames may be missing; \
        threads that ran have no stack
        """
      return capture(of: threads, snapshot, .running, notes: [note])
    }
    guard let stop = ms_process_stop_begin(CInt(clamping: id), budget) else {
      throw ProcessFailure(id, .stopping, code: errno)
    }
    defer { ms_process_stop_free(stop) }
    refreshMappings()
    let (threads, notes) = stopped(stop, listed)
    let snapshot = StackSnapshot.take(of: threads, in: memory)
    body(snapshot, threads)
    var wasCut = false
    let lasted = ms_process_stop_end(stop, &wasCut)
    return capture(
      of: threads, snapshot, wasCut ? .partly(lasted) : .stopped(lasted), notes: notes)
  }

  private func capture(
    of threads: [NativeThread], _ memory: SnapshotMemory, _ stop: ProcessPicture.Stop,
    notes: [String]
  ) -> ProcessCapture {
    ProcessCapture(
      memory: memory, extents: self.memory.mapped.map(\.extent), threads: named(threads),
      wall: Self.now, stop: stop, notes: notes)
  }

  /// The threads with the facts that the kernel shows without a stop, but without their places.
  private var listedThreads: [NativeThread] {
    let ids = files.threads
    let ownIDs = ownIDs(of: ids)
    return ids.map { id in
      let status = files.status(of: id)
      var thread = NativeThread(kernelID: id, name: "", state: status.state)
      thread.used = status.used
      thread.ownID = ownIDs[id]
      return thread
    }
  }

  /// The thread with its place, if it sleeps in the kernel.
  private func running(_ listed: NativeThread) -> NativeThread {
    var thread = listed
    thread.isExact = false
    let place = files.place(of: thread.kernelID)
    thread.call = place?.call
    thread.registers = place.map { place in
      ThreadRegisters(
        machine: .here, programCounter: place.programCounter, stackPointer: place.stackPointer,
        framePointer: FramePointerGuess(memory).framePointer(above: place.stackPointer) ?? 0)
    }
    return thread
  }

  /// The ids that threads have in the process's PID namespace; empty if that is this one's.
  private func ownIDs(of threads: [Int]) -> [Int: Int] {
    guard files.ownID(of: id) != nil else { return [:] }
    return Dictionary(threads.compactMap { id in files.ownID(of: id).map { (id, $0) } }) {
      first, _ in first
    }
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Reads the mappings again, because memory may have been mapped since the process was opened. If
  /// the process died, the earlier list remains.
  private func refreshMappings() { try? memory.refresh() }

  private func stopped(
    _ stop: OpaquePointer, _ listed: [NativeThread]
  ) -> (threads: [NativeThread], notes: [String]) {
    let known = Dictionary(listed.map { ($0.kernelID, $0) }) { first, _ in first }
    var count = 0
    let all = UnsafeBufferPointer(start: ms_process_stop_threads(stop, &count), count: count)
    var (threads, missed): ([NativeThread], Int) = ([], 0)
    for thread in all where thread.error != ESRCH {
      let id = Int(thread.id)
      var native = known[id] ?? NativeThread(kernelID: id, name: "")
      if thread.error == 0 {
        let values = withUnsafeBytes(of: thread.registers) {
          Array($0.bindMemory(to: UInt64.self).prefix(Int(thread.register_count)))
        }
        native.registers = ThreadRegisters(
          machine: .here, values: values, threadPointer: thread.thread_pointer)
        if native.registers?.isInCall == true {
          native.call = files.place(of: id)?.call
        }
      } else {
        missed += 1
      }
      threads.append(native)
    }
    guard missed > 0 else { return (threads, []) }
    let words = missed == 1 ? "1 thread" : "\(missed) threads"
    return (
      threads,
      [
        "no stack of \(words): a thread did not stop in time, because it waited in the kernel or the process has too many threads, or it ended meanwhile"
      ]
    )
  }

  private func named(_ threads: [NativeThread]) -> [NativeThread] {
    threads.map { thread in
      var thread = thread
      thread.name = files.name(of: thread.kernelID)
      return thread
    }
  }
}
