import Glibc
import TextOutput

/// Test processes that stop reporting events.
extension Supervisor {
  /// Examines the processes without an event for the timeout, and ends one that hangs.
  func judgeSilence(_ now: Double) {
    for place in living.indices {
      let process = living[place]
      let silence = now - process.lastSign
      if process.ticksAtSign == nil, silence > options.timeout / 2 {
        living[place].ticksAtSign = ProcessTree().ticks(of: process.id)
      }
      let last = process.lastLook?.time ?? process.lastSign
      let isLate = silence >= options.limit
      guard now - last >= options.timeout || (isLate && last < process.lastSign + options.limit)
      else { continue }
      if Liveness.isHeld(process.id) {
        living[place].lastSign = now
        continue
      }
      let works = works(process)
      let explanation = reporting.explainHang(process: Int(process.id))
      let places = explanation.others.map { "\($0.what) \($0.place ?? "")" }
      // The process may have continued while it was examined.
      var hasGoneOn = false
      living[place].read(now: now) {
        hasGoneOn = true
        run.apply($0, at: $1)
      }
      if hasGoneOn || !ProcessState.isAlive(process.id) { continue }
      let waits = works ? "the process uses the processor" : awaits(process, explanation)
      let isSame = process.lastLook?.places == places
      if explanation.isProof || isLate || (waits == nil && isSame) {
        hung(living.remove(at: place), explanation, silence)
        return
      }
      living[place].lastLook = (now, places)
      if let waits, !process.saidSilence {
        living[place].saidSilence = true
        reporting.say(
          "no test event for \(Int(silence)) s, but \(waits); crashscan reports a hang after \(Int(options.limit)) s (running: \(Self.list(process.running)))"
        )
      }
    }
  }

  /// True if a silent process has used the processor since half of the timeout had passed.
  private func works(_ process: TestProcess) -> Bool {
    guard let before = process.ticksAtSign else { return false }
    let used = ProcessTree().ticks(of: process.id) &- before
    return Double(used) / Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) > options.timeout * 0.025
  }

  /// Returns the event that will end the wait of a silent process, as a clause; nil if no such
  /// event is known.
  private func awaits(_ process: TestProcess, _ explanation: Explanation) -> String? {
    if explanation.sleeps { return "the test sleeps or waits for an expectation" }
    if Liveness.waitsForTime(process.id, explanation.others.flatMap(\.threads)) {
      return "the process waits for a timer"
    }
    let children = ProcessTree().descendants(of: process.id)
    if children.isEmpty || PipeWaits(of: process.id).keepWaiting(children) { return nil }
    return "the process has a child process"
  }

  private func hung(_ process: TestProcess, _ explanation: Explanation, _ silence: Double) {
    for name in process.tests { launches[name] = process.launch }
    let running = TestMatching(process.running, of: process.tests)
    var blamed = running.tests(of: explanation.blamed)
    if blamed.isEmpty {
      blamed = running.tests(of: explanation.others.filter { !$0.waitsForTurn })
    }
    if blamed.isEmpty { blamed = process.running }
    let whose: String
    if !blamed.isEmpty {
      whose = "hang in \(Self.list(blamed, withPlaces: true))"
    } else {
      whose = process.hasEndedRun ? "hang after the last test" : "hang before the next test"
    }
    var explanation = explanation
    let places = whereabouts(process, running, explanation)
    explanation.verdict.text = places + explanation.verdict.text
    explanation.report = places + explanation.report
    let verdicts = Dictionary(
      blamed.map { ($0, verdict(on: $0, running, explanation)) },
      uniquingKeysWith: { first, _ in first })
    end(process.id)
    tell(
      process, "\(whose), no event for \(Int(silence)) s", explanation, blamed, as: .hung,
      verdicts: verdicts)
    removeFiles(of: process)
  }

  /// Returns the verdict on a test that hangs, with the cause of this test if several tests hang. A
  /// test without a cause has the activity of its thread or task as the title.
  private func verdict(
    on test: TestName, _ matching: TestMatching, _ explanation: Explanation
  ) -> Verdict {
    var verdict = explanation.verdict
    if let own = explanation.causes.first(where: { matching.tests(of: $0.stacks).contains(test) })
      ?? explanation.causes.first
    {
      verdict = own.verdict
      verdict.text = explanation.verdict.text
    } else if let stack = explanation.others.first(where: { matching.test(of: $0) == test })
      ?? explanation.others.first
    {
      verdict.title = "\(stack.what)\(stack.place.map { " at \($0)" } ?? "")"
    }
    return verdict
  }

  /// Returns the threads and tasks of each running test, and the waits for pipes, as text for the
  /// terminal.
  private func whereabouts(
    _ process: TestProcess, _ matching: TestMatching, _ explanation: Explanation
  ) -> String {
    var lines: [TestName: [String]] = [:]
    for stack in explanation.others {
      guard let test = matching.test(of: stack) else { continue }
      lines[test, default: []].append("    \(stack.what)\(stack.place.map { " at \($0)" } ?? "")")
    }
    let known = process.running.filter { lines[$0] != nil }
    let pipes = PipeWaits(of: process.id).lines.prefix(8)
    guard !known.isEmpty || !pipes.isEmpty else { return "" }
    var text: [String] = []
    for test in known.prefix(16) {
      text.append("  \(test.shownWithPlace)")
      text += lines[test, default: []].prefix(8)
    }
    let rest = process.running.count - min(known.count, 16)
    if rest > 0 { text.append("  and \(rest) more tests that have begun") }
    text += pipes.map { "  \($0)" }
    return text.map { escapingControls($0) + "\n" }.joined() + "\n"
  }

  /// Terminates a process and its descendants: by SIGTERM, and by SIGKILL after two seconds.
  private func end(_ id: pid_t) {
    let below = ProcessTree().descendants(of: id)
    for each in [id] + below { kill(each, SIGTERM) }
    let deadline = Self.now + 2
    while ([id] + below).contains(where: ProcessState.isAlive), Self.now < deadline {
      poll(nil, 0, 10)
    }
    for each in [id] + below where ProcessState.isAlive(each) { kill(each, SIGKILL) }
    while ProcessState.isAlive(id) {
      poll(nil, 0, 10)
    }
  }
}
