import Glibc
import ProcessReading

/// Runs a command and follows the test processes among its descendants.
package final class Supervisor {
  package internal(set) var run = TestRun()
  /// The signal by which the user ended the run; 0 if the run ended by itself.
  package private(set) var interruption: Int32 = 0
  /// The number of test processes so far.
  package private(set) var processCount = 0
  /// True if the supervisor found a crash or a hang, or ran tests again.
  package internal(set) var hasIntervened = false
  /// The module of each XCTest class.
  package internal(set) var modules: [String: String] = [:]

  let options: TestRunOptions
  let reporting: any TestRunReporting
  /// The test processes that run.
  var living: [TestProcess] = []
  var launches: [TestName: TestLaunch] = [:]
  var unfinished: [Unfinished] = []
  /// True if the current attempt runs its tests one after the other.
  var isSerial = false
  /// True if a crash or a hang was attributed to a test since the current attempt began.
  var hasBlamed = false
  private var lastProgress = 0.0

  /// The tests of a process that ended before all of its tests had a result.
  struct Unfinished {
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

  /// Waits for the end of a command and of the test processes that it starts.
  func follow(_ command: inout ChildCommand) {
    var forwarded: Int32 = 0
    var lastTurn = Self.now
    lastProgress = lastTurn
    while true {
      poll(nil, 0, 100)
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
      // Examining a process takes long, but this process runs meanwhile.
      lastTurn = Self.now
      showProgress(now)
    }
  }

  private func showProgress(_ now: Double) {
    guard now - lastProgress >= 10, !living.isEmpty else { return }
    lastProgress = now
    let ended = run.tests.count(where: \.hasEnded)
    let running = living.flatMap(\.running)
    // XCTest does not list its tests in advance.
    let isListed = run.tests.allSatisfy { $0.name.library == .swiftTesting }
    let all = isListed ? " of \(run.tests.count)" : ""
    reporting.showProgress(
      "\(ended)\(all) tests have ended; running: \(Self.list(running))")
  }

  private func findProcesses(_ now: Double) {
    for name in ProcessFiles.names(in: options.directory) where name.hasSuffix(".begun") {
      // A later process may have the id of an ended one, whose files were removed.
      guard let id = pid_t(name.dropLast(6)), !living.contains(where: { $0.id == id }),
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
