import Glibc
import TextOutput

extension Command {
  /// The command that runs an unmodified program and records its blocking or toolkit calls.
  static let run = Command(
    name: "run",
    summary:
      "run a program and record blocking calls, or calls of a toolkit off its thread",
    discussion: [
      "The program need not be built with Mainstay. The loader puts a library in front of the C library, "
        + "and each sleep, lock, semaphore, file or name that keeps a thread of Swift's pool, an event "
        + "loop or the main queue waiting is recorded with its stack. `crashscan LOG` then names the code that blocked. A program with its own recorder records these calls in its own log. The name of a thread "
        + "identifies an event loop: a name of SwiftNIO, or a prefix given by --loops.",
      "Not recorded: direct system calls of a program, calls from one function of the C library to another, and "
        + "child processes. crashscan rejects fully static programs and programs that run with the rights of another user. A program with a static Swift standard library must not be stripped; otherwise only event loops "
        + "are watched, and crashscan reports this at the start.",
      "With --gtk or --calls, it records calls of a toolkit instead of blocking calls: each call of its functions off "
        + "the toolkit's thread, with the code that started the thread. GTK belongs to the thread that iterates the "
        + "default main context. The program may use any language. Internal calls of GTK are not recorded.",
      "The program replaces the crashscan process: it has the same process id, receives signals, and returns "
        + "its own exit status. Options of the program come after `--`.",
    ],
    examples: [
      Example(
        line: "crashscan run -- ./service --port 8080",
        summary: "Record blocking calls of the service in blocking.log."),
      Example(
        line: "crashscan run --over 50 --log /var/log/blocking.log -- ./service",
        summary: "Record only calls of 50 ms or longer, in another log."),
      Example(
        line: "crashscan run --gtk -- ./application",
        summary: "Record GTK calls off its thread in toolkit.log."),
      Example(
        line: "crashscan run --calls sdl2 --trap -- ./game",
        summary: "End the game at the first SDL call off its thread."),
    ],
    operands: Operand(placeholder: "PROGRAM", completion: .file, count: 1...Int.max),
    options: [
      Option.runLog.entry, Option.over.entry, Option.loops.entry, Option.gtk.entry,
      Option.calls.entry,
      Option.reportCalls.entry, Option.trap.entry, Option.allowedCalls.entry, Option.children.entry,
    ],
    run: { invocation in
      do throws(CommandFailure) {
        let isOfToolkit = invocation[.gtk] || !invocation.all(.calls).isEmpty
        if isOfToolkit { try ToolkitRun(invocation).begin() }
        try BlockingRun(invocation).begin()
      } catch {
        tell("\(error.message)")
        return error.code
      }
    })
}

extension Option where Value == String {
  static let runLog = Option(
    "log", takes: "FILE", "the path of a file", completion: .file,
    summary: "Write the log to FILE (default blocking.log or toolkit.log)",
    discussion: "An existing log is kept next to it, for example as blocking.1.log.",
    read: { $0.isEmpty ? nil : $0 })
}

extension Option where Value == [String] {
  static let loops = Option(
    "loops", takes: "PREFIXES", "prefixes of the names of threads, separated by commas",
    summary: "Prefixes of the names of event loop threads (default NIO-ELT-,NIO-SGLTN-)",
    read: { text in
      let prefixes = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return prefixes.contains("") || prefixes.count > 16 ? nil : prefixes
    })
}

extension Option where Value == Int {
  static let over = Option(
    "over", takes: "MS", "a whole number above 0",
    summary: "Threshold of a blocking call in milliseconds (default 5)",
    read: { Int($0).flatMap { $0 > 0 && $0 < 1_000_000_000 ? $0 : nil } })
}
