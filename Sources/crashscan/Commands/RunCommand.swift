import Glibc
import IncidentModel
import TextOutput

extension Command {
  /// A program of somebody else's, looked at.
  static let run = Command(
    name: "run", summary: "run a program and record which calls block threads that others need",
    discussion: [
      "The program need not be built with Mainstay. The loader puts a library in front of the C library, "
        + "and each sleep, lock, semaphore, file or name that keeps a thread of Swift's pool, an event "
        + "loop or the main queue waiting is recorded with its stack. `crashscan LOG` then tells which code "
        + "that was. A program with a recorder of its own has it in its own log. An event loop is known by "
        + "the name of its thread, as SwiftNIO gives it.",
      "What cannot be seen: system calls that a program makes by itself, calls from one function of the C "
        + "library to another, and processes that the program starts. A wholly static program is "
        + "refused, and so is one that runs with the rights of another user. With Swift's standard library linked "
        + "in, the program must not be stripped: else only event loops are seen, and it is said at the start.",
      "The program takes the place of crashscan: it has its process id, its exit status is its own, and "
        + "signals reach it. Options of the program come after `--`.",
    ],
    examples: [
      Example(
        line: "crashscan run -- ./service --port 8080",
        summary: "Records what blocks the service into blocking.log."),
      Example(
        line: "crashscan run --over 50 --log /var/log/blocking.log -- ./service",
        summary: "Only calls of 50 ms and more, into a log elsewhere."),
    ],
    operands: Operand(placeholder: "PROGRAM", nature: .file, count: 1...Int.max),
    options: [Option.blockingLog.entry, Option.over.entry],
    run: { invocation in
      do throws(CommandFailure) {
        try Preloading(invocation).begin()
      } catch {
        tell("\(error.message)")
        return error.code
      }
    })
}

extension Option where Value == String {
  static let blockingLog = Option(
    "log", takes: "FILE", "the path of a file", nature: .file,
    summary: "where to record: blocking.log, if it is not given",
    discussion: "A log that stands there is kept beside it, as blocking.1.log.",
    read: { $0.isEmpty ? nil : $0 })
}

extension Option where Value == Int {
  static let over = Option(
    "over", takes: "MS", "a whole number above 0",
    summary: "how long a call may take, in milliseconds: 5, if it is not given",
    read: { Int($0).flatMap { $0 > 0 && $0 < 1_000_000_000 ? $0 : nil } })
}

/// How the program is started.
private struct Preloading {
  let arguments: [String]
  let log: String
  let milliseconds: Int

  init(_ invocation: Invocation) {
    arguments = invocation.operands
    log = invocation[.blockingLog] ?? "blocking.log"
    milliseconds = invocation[.over] ?? 5
  }

  /// Comes back only if that fails.
  func begin() throws(CommandFailure) -> Never {
    let library = try PreloadedLibrary.path()
    let program = try ProgramFile(named: arguments[0])
    try program.check()
    let before = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
    setenv("MAINSTAY_RUN_PRELOAD", before, 1)
    setenv("LD_PRELOAD", before.isEmpty ? library : "\(library):\(before)", 1)
    setenv("MAINSTAY_RUN_LOG", log, 1)
    setenv("MAINSTAY_RUN_OVER", "\(milliseconds)000000", 1)
    setenv("MAINSTAY_RUN_PROCESS", "\(getpid())", 1)
    tell(
      "what blocks for \(milliseconds) ms and longer goes to \(log); system calls that the program "
        + "makes by itself, and processes that it starts, are not seen")
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    execv(program.path, words)
    throw CommandFailure(
      message: "\(program.path): \(String(cString: strerror(errno)))", code: .unreadableInput)
  }
}
