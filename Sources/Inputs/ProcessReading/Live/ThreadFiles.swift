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

  /// The state of the thread, in words.
  func state(of thread: Int) -> String? {
    guard let text = ProcessFiles.text(path(thread, "stat")), let end = text.lastIndex(of: ")")
    else {
      return nil
    }
    return text[end...].dropFirst(2).first.flatMap { ProcessStatus.words(forState: $0) }
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
