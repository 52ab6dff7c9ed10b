import ProcessReading

extension Command {
  /// The command that reports on a running process, from outside.
  static let attach = Command(
    name: "attach", summary: "the threads of a running process, and its breadcrumb log",
    discussion: [
      "The process need not be built with Mainstay. crashscan stops the process while it reads the threads, "
        + "for at most 100 ms; the report states the time. The process then continues, even if crashscan is "
        + "killed. Signals that arrive meanwhile are delivered afterwards. As with any debugger, a call that waits may return early with EINTR, "
        + "for example epoll_wait. --no-stop reads the process while it runs; stacks may then lack frames.",
      "Threads in the same place are shown together. Each function of the program has a line; functions "
        + "of libraries and the runtime share one. crashscan finds the breadcrumb log of the process and adds its findings.",
      "crashscan needs permission to trace the process: the same user if kernel.yama.ptrace_scope is 0, "
        + "or CAP_SYS_PTRACE. "
        + "docs/attach.md describes the settings for Kubernetes, systemd and Docker.",
    ],
    examples: [
      Example(line: "crashscan attach 4711", summary: "The state of process 4711 now."),
      Example(
        line: "crashscan attach 4711 --no-stop",
        summary: "Read the state without stopping the process."),
      Example(
        line: "crashscan attach 4711 --format json --output hang.json",
        summary: "Save the state as JSON."),
    ],
    operands: Operand(placeholder: "PID", completion: .process, count: 1...1),
    options: [Option.noStop.entry] + PictureRun.options,
    run: { invocation in
      do {
        guard let id = Int32(invocation.operands[0]), id > 0 else {
          throw CommandFailure(
            message:
              "'\(invocation.operands[0])' is not a process id (expected a whole number above 0)",
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
      Only threads that wait in the kernel then have a stack, walked by frame pointers: frames may \
      be missing or, if the thread ran meanwhile, wrong.
      """)
}
