import Glibc
import TextOutput

extension Command {
  /// The command that runs an unmodified program and records its blocking or toolkit calls.
  static let run = Command(
    name: "run",
    summary:
      "run a program and record blocking calls, toolkit calls off their thread, or failed isolation checks",
    discussion: [
      "The program need not be built with Mainstay. The loader preloads a library that "
        + "interposes functions of the C library. crashscan records each sleep, lock, semaphore, file access or name lookup that blocks a "
        + "thread of Swift's pool, an event loop or the main queue, with its stack. `crashscan LOG` then names the code that blocked. A program with its own recorder records these calls in its own log. The log also has a crash of the program, with the stacks of all threads. The name of a thread "
        + "identifies an event loop: a name of SwiftNIO, or a prefix given by --loops.",
      "crashscan does not record direct system calls, calls from one function of the C library to another, and "
        + "child processes. crashscan rejects fully static programs and set-user-ID or set-group-ID programs. A program with a static Swift standard library must not be stripped; otherwise only event loops "
        + "are watched, and crashscan reports this at the start.",
      "With --gtk or --calls, the command records calls of the toolkit's functions off the toolkit's thread instead of "
        + "blocking calls, each with the code that started the calling thread. GTK belongs to the thread that iterates the "
        + "default main context. The program may use any language. Internal calls of GTK are not recorded.",
      "With --isolation soft, isolation checks of the Swift runtime that fail do not end the process; each place "
        + "that fails one is recorded once, with its stack. Each is a data race, so the program may still "
        + "misbehave. The checks are those that the compiler inserts at the entry of isolated closures, "
        + "assumeIsolated and preconditionIsolated. dispatchPrecondition, and checks of an actor with an executor of "
        + "its own, still trap.",
      "The program replaces the crashscan process: it has the same process id, receives signals, and returns "
        + "its own exit status. Options of the program come after `--`.",
    ],
    examples: [
      Example(
        line: "crashscan run -- ./service --port 8080",
        summary: "Record blocking calls of the service, and its crash, in blocking.log."),
      Example(
        line: "crashscan run --over 50 --log /var/log/blocking.log -- ./service",
        summary: "Record only calls of 50 ms or longer, in another log."),
      Example(
        line: "crashscan run --gtk -- ./application",
        summary: "Record GTK calls off GTK's thread in toolkit.log."),
      Example(
        line: "crashscan run --calls sdl2 --trap -- ./game",
        summary: "End the game at the first SDL call off SDL's thread."),
      Example(
        line: "crashscan run --isolation soft -- ./service",
        summary: "Record failed isolation checks in isolation.log instead of trapping."),
    ],
    operands: Operand(placeholder: "PROGRAM", completion: .file, count: 1...Int.max),
    options: [
      Option.runLog.entry, Option<IsolationMode>.isolation.entry, Option.over.entry,
      Option.loops.entry, Option.gtk.entry,
      Option.calls.entry,
      Option.reportCalls.entry, Option.trap.entry, Option.allowedCalls.entry, Option.children.entry,
    ],
    run: { invocation in
      do throws(CommandFailure) {
        if invocation[.isolation] != nil { try IsolationRun(invocation).begin() }
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
    summary: "Write the log to FILE (default blocking.log, toolkit.log or isolation.log)",
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
