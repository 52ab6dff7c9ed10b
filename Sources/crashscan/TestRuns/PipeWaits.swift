import Glibc
import ProcessReading

/// The threads of a process and of its descendants that wait for a pipe, and the processes with the
/// other end of each pipe. Processes of other users are not visible.
struct PipeWaits {
  private struct Wait {
    let process: pid_t
    let thread: Int
    let isRead: Bool
    /// The processes that can write if the thread reads, and that can read if the thread writes.
    let others: Set<pid_t>
  }

  private struct Ends {
    var readers: Set<pid_t> = []
    var writers: Set<pid_t> = []
  }

  private let root: pid_t
  private let waits: [Wait]

  init(of root: pid_t) {
    self.root = root
    var calls: [(process: pid_t, thread: Int, isRead: Bool, pipe: String)] = []
    for process in [root] + ProcessTree().descendants(of: root) {
      for thread in ProcessFiles.names(in: "/proc/\(process)/task").compactMap({ Int($0) }) {
        guard let (isRead, file) = Self.call(process, thread), let pipe = Self.pipe(process, file)
        else { continue }
        calls.append((process, thread, isRead, pipe))
      }
    }
    let ends = Self.ends(of: Set(calls.map(\.pipe)))
    waits = calls.compactMap { call in
      let others = call.isRead ? ends[call.pipe]?.writers : ends[call.pipe]?.readers
      return others.map {
        Wait(process: call.process, thread: call.thread, isRead: call.isRead, others: $0)
      }
    }
  }

  /// Returns the processes with an end of these pipes. Any process may have inherited an end.
  private static func ends(of pipes: Set<String>) -> [String: Ends] {
    var ends: [String: Ends] = [:]
    if pipes.isEmpty { return ends }
    for process in ProcessFiles.names(in: "/proc").compactMap({ pid_t($0) }) {
      for file in ProcessFiles.names(in: "/proc/\(process)/fd") {
        guard let pipe = pipe(process, file), pipes.contains(pipe), let mode = mode(process, file)
        else { continue }
        if mode != O_WRONLY { ends[pipe, default: Ends()].readers.insert(process) }
        if mode != O_RDONLY { ends[pipe, default: Ends()].writers.insert(process) }
      }
    }
    return ends
  }

  /// True if each of these processes waits, with all of its threads, for pipes whose other ends belong only to
  /// these processes and to the root process.
  func keepWaiting(_ processes: [pid_t]) -> Bool {
    let known = Set(processes + [root])
    return processes.allSatisfy { process in
      let own = waits.filter { $0.process == process }
      return own.count == ProcessFiles.names(in: "/proc/\(process)/task").count
        && own.allSatisfy { known.isSuperset(of: $0.others) }
    }
  }

  /// A description of each wait: `process 71 (sort) reads a pipe that only process 70 (p.xctest) can
  /// write to`.
  var lines: [String] {
    waits.filter { !$0.others.isEmpty }.map { wait in
      let who =
        wait.process == root ? "thread \(wait.thread)" : "process \(Self.shown(wait.process))"
      let list = wait.others.sorted().map { "process \(Self.shown($0))" }
        .joined(separator: " and ")
      return wait.isRead
        ? "\(who) reads a pipe that only \(list) can write to"
        : "\(who) writes to a full pipe that only \(list) can read"
    }
  }

  private static func shown(_ process: pid_t) -> String {
    ProcessFiles.text("/proc/\(process)/comm").map { "\(process) (\($0))" } ?? "\(process)"
  }

  private static func pipe(_ process: pid_t, _ file: String) -> String? {
    ProcessFiles.link("/proc/\(process)/fd/\(file)").flatMap { $0.hasPrefix("pipe:") ? $0 : nil }
  }

  /// The access mode of a file descriptor: `O_RDONLY`, `O_WRONLY` or `O_RDWR`.
  private static func mode(_ process: pid_t, _ file: String) -> Int32? {
    ProcessFiles.text("/proc/\(process)/fdinfo/\(file)")?.split(separator: "\n")
      .first { $0.hasPrefix("flags:") }
      .flatMap { Int32($0.dropFirst(6).filter(\.isNumber), radix: 8) }.map { $0 & O_ACCMODE }
  }

  /// The `read` or `write` in which a thread is, and its file descriptor.
  private static func call(_ process: pid_t, _ thread: Int) -> (isRead: Bool, file: String)? {
    let words =
      ProcessFiles.text("/proc/\(process)/task/\(thread)/syscall")?.split(separator: " ") ?? []
    guard words.count > 1, let call = Int(words[0]), call == read || call == write,
      let file = Int(words[1].dropFirst(2), radix: 16)
    else { return nil }
    return (call == read, "\(file)")
  }

  // Numbers of system calls.
  #if arch(x86_64)
    private static let (read, write) = (0, 1)
  #else
    private static let (read, write) = (63, 64)
  #endif
}
