import ProcessReading

extension Command {
  /// The command that reports on a running process, from outside.
  static let attach = Command(
    name: "attach", summary: "the threads of a running process, and its breadcrumb log",
    discussion: [
      "The process need not be built with Mainstay. It stands still while its threads are read, for 100 ms at most, "
        + "and the report says for how long; then it runs on, also if crashscan is killed meanwhile. Signals that "
        + "arrive are delivered afterwards. As with any debugger, a call that waits may return early with EINTR, "
        + "for example epoll_wait. --no-stop reads it while it runs, and stacks may lack frames then.",
      "Threads in the same place are shown together, the program's own functions line by line and those of libraries "
        + "and the runtime in one. The breadcrumb log of the process is found by itself, and its findings follow.",
      "It takes the right to trace the process: the same user where kernel.yama.ptrace_scope is 0, or CAP_SYS_PTRACE. "
        + "docs/attach.md tells how to get it with Kubernetes, systemd and Docker.",
    ],
    examples: [
      Example(line: "crashscan attach 4711", summary: "The state of process 4711 now."),
      Example(
        line: "crashscan attach 4711 --no-stop",
        summary: "The same, and the process is never stopped."),
      Example(
        line: "crashscan attach 4711 --format json --output hang.json",
        summary: "For a program, or to be kept."),
    ],
    operands: Operand(placeholder: "PID", completion: .process, count: 1...1),
    options: [Option.noStop.entry] + PictureRun.options,
    run: { invocation in
      do {
        guard let id = Int32(invocation.operands[0]), id > 0 else {
          throw CommandFailure(
            message:
              "'\(invocation.operands[0])' is not a process id, which is a whole number above 0",
            code: .usage)
        }
        let options = invocation[.noStop] ? LiveProcess.Options(stop: nil) : LiveProcess.Options()
        let process = try LiveProcess(Int(id), options: options)
        var run = try PictureRun(
          invocation, places: process.symbolPlaces, root: "/proc/\(id)/root")
        return try run.report(on: process, "process \(id)")
      } catch let failure as CommandFailure {
        tell("\(failure.message)")
        return failure.code
      } catch {
        tell(Inputs.message(of: error, "process \(invocation.operands[0])"))
        return .unreadableInput
      }
    })
}

extension Option where Value == Bool {
  fileprivate static let noStop = Option(
    flag: "no-stop", summary: "Read the process while it runs",
    discussion: """
      Only threads that wait in the kernel have a stack then, and one that is found by frame pointers: frames may be \
      missing or, if the thread moved meanwhile, wrong.
      """)
}
