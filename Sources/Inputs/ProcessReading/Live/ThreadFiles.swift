import Glibc
import IncidentModel

/// The threads of a process in `/proc/PID/task`.
struct ThreadFiles {
  let process: Int

  /// A thread's system call and the two registers that the kernel shows without a stop.
  struct Place {
    var programCounter: UInt64
    var stackPointer: UInt64
    var call: NativeThread.Call?
  }

  /// The kernel ids of the threads, in order of creation.
  var threads: [Int] { ProcessFiles.names(in: "/proc/\(process)/task").compactMap { Int($0) } }

  func name(of thread: Int) -> String { ProcessFiles.text(path(thread, "comm")) ?? "" }

  /// The contents of a thread's file `stat`.
  struct Status {
    /// In words; nil if unknown.
    var state: String?
    /// The processor time, in nanoseconds; nil if unknown.
    var used: UInt64?
  }

  func status(of thread: Int) -> Status {
    // The name stands in parentheses and may contain anything, also parentheses.
    guard let text = ProcessFiles.text(path(thread, "stat")), let end = text.lastIndex(of: ")")
    else { return Status() }
    let words = text[end...].dropFirst().split(separator: " ")
    var status = Status(state: words.first?.first.flatMap(ProcessStatus.words(forState:)))
    // User and system time, in ticks.
    if words.count > 12, let user = UInt64(words[11]), let system = UInt64(words[12]) {
      status.used =
        (user &+ system) &* (1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
    }
    return status
  }

  /// The thread's id in the process's own PID namespace; nil if the process is in this one's.
  func ownID(of thread: Int) -> Int? {
    guard let text = ProcessFiles.text(path(thread, "status")),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("NSpid:") }),
      let last = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last, let id = Int(last),
      id != thread
    else { return nil }
    return id
  }

  /// The place of a thread that sleeps in the kernel or is stopped; nil for a running thread.
  func place(of thread: Int) -> Place? {
    // `number arguments… stack-pointer program-counter`; outside system calls `-1 stack-pointer
    // program-counter`.
    let words = (ProcessFiles.text(path(thread, "syscall")) ?? "").split(separator: " ")
    let values = words.dropFirst().compactMap { UInt64($0.dropFirst(2), radix: 16) }
    guard values.count >= 2, let number = words.first.flatMap({ Int($0) }) else { return nil }
    let call = NativeThread.Call(number: number, arguments: Array(values.dropLast(2)))
    return Place(
      programCounter: values[values.count - 1], stackPointer: values[values.count - 2],
      call: call.arguments.count == 6 ? call : nil)
  }

  private func path(_ thread: Int, _ file: String) -> String {
    "/proc/\(process)/task/\(thread)/\(file)"
  }
}
