import Glibc

/// The options of a run.
package struct TestRunOptions: Sendable {
  /// The number of seconds without an event after which a test process is examined.
  package var timeout: Double
  /// The number of seconds without an event after which a test process counts as hung, even if it
  /// uses the processor or waits with a time limit.
  package var limit: Double
  /// The number of processors for the test processes; nil for all.
  package var pool: Int?
  /// The maximum number of reruns of a failed test.
  package var retries: Int
  /// True if tests without a result are run again after a crash or a hang.
  package var reruns: Bool
  /// The path of the library to preload.
  package var library: String
  /// An existing directory for the files of the run.
  package var directory: String

  package init(
    timeout: Double, limit: Double, pool: Int?, retries: Int, reruns: Bool, library: String,
    directory: String
  ) {
    self.timeout = timeout
    self.limit = limit
    self.pool = pool
    self.retries = retries
    self.reruns = reruns
    self.library = library
    self.directory = directory
  }
}

/// Explains crashes and hangs for a supervisor, and writes messages to the user.
package protocol TestRunReporting {
  /// Returns the report on the crash in a log; nil if the log has no crash.
  func explainCrash(log: String) -> Explanation?
  /// Returns the report on a running process that does not respond.
  func explainHang(process: Int) -> Explanation
  /// Writes one line to the user.
  func say(_ line: String)
  /// Writes a report to the user.
  func show(_ report: String)
  /// Shows the progress of the run on a terminal.
  func showProgress(_ line: @autoclosure () -> String)
}

/// Runs a command and follows the test processes among its descendants.
package final class Supervisor {
  package private(set) var run = TestRun()
  /// The signal by which the user ended the run; 0 if the run ended by itself.
  package private(set) var interruption: Int32 = 0
  /// The number of test processes so far.
  package private(set) var processCount = 0
  /// True if the supervisor found a crash or a hang, or ran tests again.
  package private(set) var hasIntervened = false
  /// The module of each XCTest class.
  package private(set) var modules: [String: String] = [:]

  let options: TestRunOptions
  private let reporting: any TestRunReporting
  private var living: [TestProcess] = []
  private var known: Set<pid_t> = []
  private var launches: [TestName: TestLaunch] = [:]
  private var unfinished: [Unfinished] = []
  private var isSerial = false
  /// True if a crash or a hang was attributed to a test since the current attempt began.
  private var hasBlamed = false
  private var lastTurn = 0.0
  private var lastProgress = 0.0

  /// The tests of a process that ended before all of its tests had a result.
  private struct Unfinished {
    var launch: TestLaunch
    /// The known tests without a result, in the order of the library. For XCTest, the bundle lists
    /// the tests later.
    var tests: [TestName]
    var isSerial: Bool
    /// The headline and report on the end of the process, if no test is known to have caused it.
    var mystery: (title: String, text: String)?
  }

  package init(_ options: TestRunOptions, reporting: any TestRunReporting) {
    self.options = options
    self.reporting = reporting
  }

  /// Runs the command, then the tests without a result. Returns the command's exit code.
  package func execute(
    program: String, _ arguments: [String]
  ) throws(TestRunFailure) -> Int32 {
    RunSignals.watch()
    let environment = Self.environment
    var command = try ChildCommand(
      executable: program, arguments: arguments, environment: preloaded(environment),
      directory: nil)
    follow(&command)
    try finishTests()
    try retry()
    return command.exitCode ?? 1
  }

  // MARK: A command

  private func follow(_ command: inout ChildCommand) {
    var forwarded: Int32 = 0
    lastTurn = Self.now
    lastProgress = lastTurn
    while true {
      poll(nil, 0, 25)
      let now = Self.now
      // This process was stopped or had no processor, so the time does not count as silence.
      if now - lastTurn > 2 {
        for place in living.indices { living[place].lastSign += now - lastTurn }
      }
      command.refresh()
      findProcesses(now)
      for place in living.indices {
        living[place].read(now: now) { run.apply($0, at: $1) }
      }
      for process in living where !ProcessState.isAlive(process.id) { finish(process) }
      if RunSignals.arrivals > forwarded {
        interrupt(command, isFirst: forwarded == 0)
        forwarded = RunSignals.arrivals
      }
      if command.status != nil, living.isEmpty { break }
      if interruption == 0 { judgeSilence(now) }
      // A look takes long, and is no time in which this process did not run.
      lastTurn = Self.now
      showProgress(now)
    }
  }

  private func showProgress(_ now: Double) {
    guard now - lastProgress >= 10, !living.isEmpty else { return }
    lastProgress = now
    let ended = run.tests.count(where: \.hasEnded)
    let running = living.flatMap(\.running)
    reporting.showProgress(
      "\(ended) of \(run.tests.count) tests have ended; running: \(Self.list(running))")
  }

  private func findProcesses(_ now: Double) {
    for name in SmallFile.names(in: options.directory) where name.hasSuffix(".begun") {
      guard let id = pid_t(name.dropLast(6)), known.insert(id).inserted,
        var process = TestProcess(id: id, directory: options.directory, now: now)
      else { continue }
      processCount += 1
      process.read(now: now) { run.apply($0, at: $1) }
      living.append(process)
    }
  }

  /// Forwards the user's first signal; kills all descendants after a second signal.
  private func interrupt(_ command: ChildCommand, isFirst: Bool) {
    interruption = RunSignals.signal
    if isFirst {
      command.send(interruption)
      for process in living { kill(process.id, interruption) }
    } else {
      let below = ProcessTree().descendants(of: getpid())
      for id in below + living.map(\.id) { kill(id, SIGKILL) }
    }
  }

  // MARK: The end of a process

  private func finish(_ ended: TestProcess) {
    guard let place = living.firstIndex(where: { $0.id == ended.id }) else { return }
    let now = Self.now
    living[place].read(now: now) { run.apply($0, at: $1) }
    let process = living.remove(at: place)
    for name in process.tests { launches[name] = process.launch }
    let files = "\(options.directory)/\(process.id)"
    defer {
      for kind in ["begun", "exited", "events", "lines", "log"] { unlink("\(files).\(kind)") }
    }
    if interruption != 0 { return }
    let exit = SmallFile.text("\(files).exited").flatMap { Int32($0.filter(\.isNumber)) }
    let isComplete = process.running.isEmpty && (process.hasEndedRun || exit != nil)
    if isComplete, exit != nil { return }
    hasIntervened = true
    if let explanation = reporting.explainCrash(log: "\(files).log") {
      crashed(process, explanation)
    } else if !isComplete {
      vanished(process, exit)
    }
  }

  private func crashed(_ process: TestProcess, _ explanation: Explanation) {
    let matching = TestMatching(process.tests, of: process.tests)
    // The crashed stack comes first.
    var blamed = Array(matching.tests(of: explanation.blamed).prefix(1))
    // A task of an earlier test may have crashed, unless the test runs for the second time.
    if blamed.isEmpty, process.running.count == 1, isSerial || !options.reruns {
      blamed = process.running
    }
    let whose: String
    if let first = blamed.first {
      whose = "crash in \(first.shownWithPlace)"
    } else if process.running.isEmpty {
      whose = process.hasEndedRun ? "crash after the last test" : "crash before the next test"
    } else {
      whose = "crash while \(Self.list(process.running)) ran"
    }
    tell(process, whose, explanation, blamed, as: .crashed)
  }

  private func vanished(_ process: TestProcess, _ exit: Int32?) {
    let how =
      exit.map { "called exit(\($0))" }
      ?? "ended without a recorded crash, by SIGKILL, another signal or _exit,"
    let blamed = process.running.count == 1 ? process.running : []
    let whose =
      process.running.isEmpty
      ? "the process \(how) before its tests had ended"
      : "the process \(how) while \(Self.list(process.running)) ran"
    let verdict = Verdict(title: whose, text: "")
    tell(
      process, whose,
      Explanation(verdict: verdict, blamed: [], others: [], isProof: false, sleeps: false), blamed,
      as: .crashed)
  }

  private func tell(
    _ process: TestProcess, _ headline: String, _ explanation: Explanation, _ blamed: [TestName],
    as state: TestRun.State
  ) {
    let now = Self.now
    reporting.say("\(headline) (\(process.shown))")
    if !explanation.verdict.text.isEmpty { reporting.show(explanation.verdict.text) }
    for name in blamed {
      run.change(name) {
        $0.state = state
        $0.ended = now
        $0.verdict = explanation.verdict
      }
    }
    hasBlamed = hasBlamed || !blamed.isEmpty
    let title = explanation.verdict.title
    let mystery =
      blamed.isEmpty
      ? (
        title: headline == title ? headline : "\(headline): \(title)",
        text: explanation.verdict.text
      ) : nil
    if let mystery, !postpone(process, blamed: blamed, mystery) { run.others.append(mystery) }
    if mystery == nil { postpone(process, blamed: blamed, nil) }
  }

  /// Stores the tests of an ended process that have no result. Returns false if these tests will
  /// not be run again.
  @discardableResult
  private func postpone(
    _ process: TestProcess, blamed: [TestName], _ mystery: (title: String, text: String)?
  ) -> Bool {
    let rest = process.tests.filter { run[$0]?.hasEnded != true }
    for name in rest {
      run.change(name) {
        $0.state = .waiting
        $0.issues = []
      }
    }
    let isStuck = blamed.isEmpty && !process.hasResults && (isSerial || process.running.isEmpty)
    let mayFollow = process.library == .xcTest && !process.hasEndedRun
    guard options.reruns, !isStuck else {
      let why = "not run: the test process \(process.id) ended before this test"
      let unknown =
        mayFollow
        ? xcTests(of: process.launch).filter { run[$0]?.hasEnded != true } : []
      for name in rest + unknown { run.change(name) { $0.missing = why } }
      return false
    }
    if rest.isEmpty && !mayFollow { return false }
    unfinished.append(
      Unfinished(launch: process.launch, tests: rest, isSerial: blamed.isEmpty, mystery: mystery))
    return true
  }

  // MARK: Hangs

  private func judgeSilence(_ now: Double) {
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
    let hasChildren = !ProcessTree().descendants(of: process.id).isEmpty
    return hasChildren ? "the process has a child process" : nil
  }

  private func hung(_ process: TestProcess, _ explanation: Explanation, _ silence: Double) {
    hasIntervened = true
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
    if !explanation.isProof, let stack = stack(of: blamed, process, explanation) {
      explanation.verdict.title = "\(stack.what)\(stack.place.map { " at \($0)" } ?? "")"
    }
    explanation.verdict.text = whereabouts(process, explanation) + explanation.verdict.text
    end(process.id)
    tell(
      process, "\(whose), no event for \(Int(silence)) s", explanation, blamed, as: .hung)
    let files = "\(options.directory)/\(process.id)"
    for kind in ["begun", "exited", "events", "lines", "log"] { unlink("\(files).\(kind)") }
  }

  /// Returns the first thread or task that belongs to one of `tests`.
  private func stack(
    of tests: [TestName], _ process: TestProcess, _ explanation: Explanation
  ) -> EvidenceStack? {
    let matching = TestMatching(process.running, of: process.tests)
    return explanation.others.first { matching.test(of: $0).map(tests.contains) ?? false }
      ?? explanation.others.first
  }

  /// Returns the threads and tasks of each running test, as text.
  private func whereabouts(_ process: TestProcess, _ explanation: Explanation) -> String {
    let matching = TestMatching(process.running, of: process.tests)
    var lines: [TestName: [String]] = [:]
    for stack in explanation.others {
      guard let test = matching.test(of: stack) else { continue }
      lines[test, default: []].append("    \(stack.what)\(stack.place.map { " at \($0)" } ?? "")")
    }
    let known = process.running.filter { lines[$0] != nil }
    guard !known.isEmpty else { return "" }
    var text = ""
    for test in known.prefix(16) {
      text += "  \(test.shownWithPlace)\n"
      text += lines[test, default: []].prefix(8).joined(separator: "\n") + "\n"
    }
    let rest = process.running.count - min(known.count, 16)
    if rest > 0 { text += "  and \(rest) more tests that have begun\n" }
    return text + "\n"
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

  // MARK: Further attempts

  private func finishTests() throws(TestRunFailure) {
    while interruption == 0, !unfinished.isEmpty {
      let next = unfinished.removeFirst()
      let tests =
        switch next.launch.library {
        case .swiftTesting: next.tests.filter { run[$0]?.hasEnded != true }
        case .xcTest: xcTests(of: next.launch).filter { run[$0]?.hasEnded != true }
        }
      guard !tests.isEmpty else {
        if let mystery = next.mystery { run.others.append(mystery) }
        continue
      }
      reporting.say(
        "running \(tests.count == 1 ? "the test" : "the \(tests.count) tests") that had no result\(next.isSerial ? ", one after the other" : "")"
      )
      for name in tests { run.change(name) { _ in } }
      hasBlamed = false
      try start(next.launch, tests, isSerial: next.isSerial)
      // If a test ended its process in this attempt, that test also explains the earlier end.
      if let mystery = next.mystery, !hasBlamed { run.others.append(mystery) }
    }
  }

  private func retry() throws(TestRunFailure) {
    for _ in 0..<options.retries {
      let bad = run.tests.filter { $0.isBad && launches[$0.name] != nil }.map(\.name)
      if interruption != 0 || bad.isEmpty { return }
      hasIntervened = true
      reporting.say(
        "running \(bad.count == 1 ? "1 failed test" : "\(bad.count) failed tests") again")
      run.reset(bad)
      var groups: [(launch: TestLaunch, tests: [TestName])] = []
      for name in bad {
        guard let launch = launches[name] else { continue }
        if let place = groups.firstIndex(where: {
          $0.launch.executable == launch.executable && $0.launch.library == launch.library
        }) {
          groups[place].tests.append(name)
        } else {
          groups.append((launch, [name]))
        }
      }
      for group in groups { try start(group.launch, group.tests, isSerial: false) }
      try finishTests()
    }
  }

  private func start(
    _ launch: TestLaunch, _ tests: [TestName], isSerial: Bool
  ) throws(TestRunFailure) {
    if launch.library == .xcTest, modules.isEmpty { _ = xcTests(of: launch) }
    for part in launch.arguments(running: tests, isSerial: isSerial, modules: modules) {
      if interruption != 0 { return }
      self.isSerial = isSerial
      var command = try ChildCommand(
        executable: launch.executable, arguments: part,
        environment: preloaded(launch.environment), directory: launch.directory)
      follow(&command)
      self.isSerial = false
    }
    for name in tests where interruption == 0 && run[name]?.hasEnded == false {
      guard !unfinished.contains(where: { $0.tests.contains(name) || $0.launch.library == .xcTest })
      else { continue }
      run.change(name) { $0.missing = $0.missing ?? "not run: the process did not run this test" }
    }
  }

  /// Returns the tests of a bundle that its command line selects.
  private func xcTests(of launch: TestLaunch) -> [TestName] {
    let path = "\(options.directory)/list"
    defer { unlink(path) }
    guard
      var list = try? ChildCommand(
        executable: launch.executable, arguments: [launch.arguments[0], "--list-tests"],
        environment: launch.environment, directory: launch.directory, output: path)
    else { return [] }
    let deadline = Self.now + 30
    while list.status == nil, Self.now < deadline {
      poll(nil, 0, 10)
      list.refresh()
    }
    if list.status == nil { list.send(SIGKILL) }
    let listed = XCTestList(SmallFile.text(path) ?? "")
    modules.merge(listed.modules) { first, _ in first }
    return listed.tests(selectedBy: launch.arguments)
  }

  /// Sets `modules` from the test lists of all XCTest bundles.
  package func learnModules() {
    var asked: Set<String> = []
    for launch in launches.values
    where launch.library == .xcTest && asked.insert(launch.executable).inserted {
      _ = xcTests(of: launch)
    }
  }

  // MARK: Helpers

  private func preloaded(_ environment: [String]) -> [String] {
    let names = ["LD_PRELOAD=", "MAINSTAY_TEST_"]
    let before = environment.first { $0.hasPrefix(names[0]) }?.dropFirst(names[0].count) ?? ""
    var added = [
      "LD_PRELOAD=\(options.library)\(before.isEmpty ? "" : ":\(before)")",
      "MAINSTAY_TEST_PRELOAD=\(before)", "MAINSTAY_TEST_DIRECTORY=\(options.directory)",
    ]
    if let pool = options.pool { added.append("MAINSTAY_TEST_POOL=\(pool)") }
    return environment.filter { variable in !names.contains { variable.hasPrefix($0) } } + added
  }

  private static var environment: [String] {
    var all: [String] = []
    var next = environ
    while let variable = next.pointee {
      all.append(String(cString: variable))
      next += 1
    }
    return all
  }

  static func list(_ names: [TestName], withPlaces: Bool = false) -> String {
    let shown = names.prefix(3).map { withPlaces ? $0.shownWithPlace : $0.shown }
    let rest = names.count - shown.count
    if names.isEmpty { return "no test" }
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
