import Foundation
import ProcessTesting
import Testing

/// `crashscan test` on a bundle with tests that hang, crash and fail: this one.
@Suite("A test run under crashscan test", .long, .enabled(if: !isSanitized))
struct TestCommandTests {
  private static let library = Result {
    let done = try ChildProcess.run(
      path: Repository.root.appendingPathComponent("scripts/preload").path,
      ["\(ChildProcess.directory)/libmainstay-testing.so"])
    guard done.status == 0, done.signal == 0 else { throw NotBuilt(errors: done.everything) }
  }

  private struct NotBuilt: Error { let errors: String }

  private static var bundle: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  }

  private static let swiftTesting = [
    bundle, "--testing-library", "swift-testing", "--filter", "^TestRunsTests.Trials/",
  ]
  private static let xcTest = [bundle, "TestRunsTests.XCTestTrials"]

  /// A run's results, by the names of its tests: `passed`, or the lines of what became of them.
  private struct Results {
    let ended: ChildProcess
    let cases: [String: String]

    init(_ ended: ChildProcess, junit: String) throws {
      self.ended = ended
      let text = try String(contentsOfFile: junit, encoding: .utf8)
      var cases: [String: String] = [:]
      for part in text.components(separatedBy: "<testcase ").dropFirst() {
        let name = part.components(separatedBy: " name=\"")[1].prefix { $0 != "\"" }
        let isWhole = part.prefix { $0 != ">" }.hasSuffix("/")
        cases[String(name)] = isWhole ? "passed" : part
      }
      self.cases = cases
    }

    func passed(allBut name: String? = nil) -> Bool {
      cases.allSatisfy { ($0.value == "passed") == ($0.key != name) }
    }
  }

  private func run(
    _ trial: String, _ command: [String] = swiftTesting, options: [String] = [],
    _ environment: [String: String] = [:]
  ) throws -> Results {
    try Self.library.get()
    let junit = TestFiles.path("results.xml")
    let ended = try ChildProcess.run(
      "crashscan", ["test", "--timeout", "1", "--junit", junit] + options + ["--"] + command,
      environment: ["MAINSTAY_TRIAL": trial].merging(environment) { $1 })
    return try Results(ended, junit: junit)
  }

  private static let names: Set = [
    "passes()", "takesArguments(_:)", "deadlocks()", "losesItsContinuation()", "crashes()",
    "blocksThePool()", "crashesInAnAwaitedFunction()", "crashesLater()", "waitsForASignal()",
    "missesAWakeup()", "locksTwice()", "needsAnAbandonedLock()",
    "leavesAPipeOpen()", "failsACheck()", "failsOnce()", "exits()", "exitsLater()", "sleeps()",
    "countsProcessors()", "waitsForSignal()",
  ]

  @Test func passesAsWithout() throws {
    let run = try run("none")
    #expect(run.ended.status == 0 && run.passed(), "\(run.ended.everything)")
    #expect(Set(run.cases.keys) == Self.names)
  }

  @Test(arguments: [
    ("deadlock", "deadlocks()", "wait for each other"),
    ("continuation", "losesItsContinuation()", "lost its continuation"),
    ("semaphore", "waitsForASignal()", "waits for a semaphore, and no signal woke it"),
    ("condition", "missesAWakeup()", "closure #1 in Trials.missesAWakeup()"),
    ("own-lock", "locksTwice()", "waits for a lock that nothing unlocked"),
    ("abandoned-lock", "needsAnAbandonedLock()", "waits for a lock that nothing unlocked"),
    ("pipe", "leavesAPipeOpen()", "is still in FileHandle.readDataToEndOfFile()"),
  ])
  func namesTheTestThatHangs(trial: String, test: String, why: String) throws {
    let run = try run(trial)
    #expect(run.ended.status == 1, "\(run.ended.everything)")
    #expect(Set(run.cases.keys) == Self.names && run.passed(allBut: test), "\(run.cases)")
    #expect(run.cases[test]?.contains("type=\"hang\"") == true)
    #expect(run.cases[test]?.contains(why) == true, "\(run.ended.errors)")
    #expect(run.ended.errors.contains("hang in Trials/\(test) at Trials.swift:"))
    // The summary and the message of the JUnit file have the cause.
    #expect(run.ended.errors.contains("crashscan: hung: Trials/\(test) at Trials.swift:"))
    let message = run.cases[test]?.components(separatedBy: "message=\"").last?.prefix { $0 != "\"" }
    #expect(message?.contains("thread ") == false, "\(message ?? "")")
  }

  @Test func namesTheProcessThatAPipeBelongsTo() throws {
    // The name of the process must not control the terminal.
    let cat = TestFiles.path("c\u{1B}[2Jt")
    try FileManager.default.createSymbolicLink(atPath: cat, withDestinationPath: "/bin/cat")
    let run = try run("pipe", options: ["--limit", "600"], ["MAINSTAY_TRIAL_CAT": cat])
    #expect(run.ended.errors.contains(#" (c\u{1B}[2Jt) reads a pipe that only process "#))
    #expect(!run.ended.errors.contains("\u{1B}[2J"), "\(run.ended.errors)")
  }

  @Test(arguments: [("sleep", []), ("pool", ["--pool", "1"])])
  func neitherASleepNorFewProcessorsAreAHang(trial: String, options: [String]) throws {
    let run = try run(trial, options: options)
    #expect(run.ended.status == 0 && run.passed(), "\(run.ended.everything)")
  }

  @Test func namesTheTestThatCrashes() throws {
    let run = try run("crash")
    #expect(run.ended.status == 1, "\(run.ended.everything)")
    #expect(Set(run.cases.keys) == Self.names && run.passed(allBut: "crashes()"), "\(run.cases)")
    #expect(run.cases["crashes()"]?.contains("Index out of range") == true)
    #expect(run.ended.errors.contains("crash in Trials/crashes() at Trials.swift:"))
  }

  @Test func reportsTheCallThatBlocksAPool() throws {
    let built = try ChildProcess.run(
      path: Repository.root.appendingPathComponent("scripts/preload").path,
      ["\(ChildProcess.directory)/libmainstay-blocking.so"])
    try #require(built.status == 0, "\(built.everything)")
    let run = try run("blocking", options: ["--blocking"])
    #expect(run.ended.status == 0 && run.passed(), "\(run.ended.everything)")
    #expect(run.ended.errors.contains("calls blocked a thread that others need"))
    #expect(run.ended.errors.contains("Trials.blocksThePool() (Trials.swift:"))
    // The bundle executes itself again, which leaves a log of the first program.
    #expect(!run.ended.errors.contains("was killed"), "\(run.ended.errors)")
  }

  @Test func softIsolationReportsTheCheckAndGoesOn() throws {
    let built = try ChildProcess.run(
      path: Repository.root.appendingPathComponent("scripts/preload").path,
      ["\(ChildProcess.directory)/libmainstay-isolation.so"])
    try #require(built.status == 0, "\(built.everything)")
    let hard = try run("check")
    #expect(hard.cases["failsACheck()"]?.contains("type=\"crash\"") == true, "\(hard.cases)")
    let soft = try run("check", options: ["--isolation", "soft"])
    #expect(soft.passed(), "\(soft.ended.everything)")
    #expect(soft.ended.status == 1, "\(soft.ended.everything)")
    #expect(soft.ended.errors.contains("each is a data race"))
    #expect(soft.ended.errors.contains("Trials.swift:"))
    let good = try run("none", options: ["--isolation", "soft"])
    #expect(good.ended.status == 0 && good.passed(), "\(good.ended.everything)")
    #expect(good.ended.errors.contains("no isolation check failed"))
  }

  @Test func namesTheTestThatAwaitsTheCrash() throws {
    let run = try run("awaited-crash", options: ["--no-rerun"])
    #expect(
      run.ended.errors.contains("crash in Trials/crashesInAnAwaitedFunction() at Trials.swift:"),
      "\(run.ended.errors)")
    #expect(run.cases["crashesInAnAwaitedFunction()"]?.contains("type=\"crash\"") == true)
  }

  @Test func namesTheTestsThatEndedBeforeALateCrash() throws {
    let run = try run("late-crash")
    #expect(run.ended.status == 1 && run.cases["crashesLater()"] == "passed")
    #expect(
      run.ended.errors.contains("crash while Trials/sleeps() ran, after the end of Trials/"),
      "\(run.ended.errors)")
  }

  @Test func namesTheTestThatExits() throws {
    let run = try run("exit")
    #expect(run.ended.status == 1, "\(run.ended.everything)")
    #expect(run.cases["exits()"]?.contains("called exit(0)") == true, "\(run.cases)")
    #expect(run.cases["passes()"] == "passed")
  }

  @Test func aStatusThatIsNotTheTestsIsKept() throws {
    let run = try run("late-exit")
    #expect(run.ended.status == 7 && run.passed(), "\(run.ended.everything)")
  }

  /// The kernel keeps no status of the children of a process that ignores the signal of their end.
  @Test func theStatusIsKnownThoughTheSignalWasIgnored() throws {
    try Self.library.get()
    let crashscan = "\(ChildProcess.directory)/crashscan"
    let script = "import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
    let command = "os.execv('\(crashscan)', ['crashscan', 'test', '--', 'sh', '-c', 'exit 3'])"
    let program = try Program(command: ["/usr/bin/env", "python3", "-c", script + command])
    #expect(program.end().exitStatus == 3)
  }

  @Test func anEarlierEventStreamIsNotRead() throws {
    let stream = TestFiles.path("events")
    let test =
      #"{"kind":"test","payload":{"id":"M.gone()/T.swift:5:4","kind":"function"},"version":0}"#
    try Data("\(test)\n".utf8).write(to: URL(fileURLWithPath: stream))
    let run = try run("none", Self.swiftTesting + ["--event-stream-output-path", stream])
    #expect(run.ended.status == 0 && run.passed(), "\(run.ended.everything)")
    #expect(Set(run.cases.keys) == Self.names)
  }

  /// A directory for temporary files that is a symbolic link, as on some machines.
  @Test func itsOwnLogIsNotTheProgramsLog() throws {
    let link = TestFiles.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: TestFiles.directory())
    let run = try run("continuation", Self.swiftTesting, ["TMPDIR": link])
    #expect(run.ended.errors.contains("lost its continuation"), "\(run.ended.everything)")
    #expect(!run.ended.errors.contains("breadcrumb log"), "\(run.ended.errors)")
  }

  @Test(.onATerminal) func aFileHasNoColoursOfTheTerminal() throws {
    try Self.library.get()
    let junit = TestFiles.path("results.xml")
    let words =
      ["\(ChildProcess.directory)/crashscan", "test", "--junit", junit, "--"] + Self.swiftTesting
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let ended = try ChildProcess.run(
      path: "/usr/bin/script", ["-qec", line, "/dev/null"],
      ["MAINSTAY_TRIAL": "crash", "TERM": "xterm"])
    #expect(ended.output.contains("\u{1B}[") && ended.output.contains("Index out of range"))
    let results = try String(contentsOfFile: junit, encoding: .utf8)
    // The file shows a control character as an escape.
    #expect(results.contains("Index out of range"))
    #expect(!results.lowercased().contains("u{1b}"), "\(results)")
  }

  @Test func theLoadIsInThisProcess() throws {
    try Self.library.get()
    let count = "ls /proc/$PPID/task | wc -l"
    func threads(_ options: [String]) throws -> Int {
      let ended = try ChildProcess.run("crashscan", ["test"] + options + ["--", "sh", "-c", count])
      return try #require(Int(ended.output.filter(\.isNumber)), "\(ended.everything)")
    }
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    #expect(try threads(["--stress"]) == threads([]) + processors)
  }

  @Test func namesTheTestOfXCTestThatCrashes() throws {
    let run = try run("xctest-crash", Self.xcTest)
    #expect(run.ended.status == 1 && run.passed(allBut: "testCrash"), "\(run.ended.everything)")
    #expect(Set(run.cases.keys) == ["testA", "testCrash", "testFailure", "testZ"])
    #expect(run.cases["testCrash"]?.contains("as asked for") == true)
  }

  @Test func keepsFailuresAndTheStatusOfXCTest() throws {
    let run = try run("xctest-failure", Self.xcTest)
    #expect(run.ended.status == 1 && run.passed(allBut: "testFailure"), "\(run.ended.everything)")
    #expect(
      run.cases["testFailure"]?.contains("<failure message=\"failed - as asked for\"") == true)
    #expect(!run.ended.errors.contains("running"))
  }

  @Test func aTestThatPassesAgainIsFlaky() throws {
    let mark = TestFiles.path("mark")
    let run = try run("flake", options: ["--retry", "2"], ["MAINSTAY_TRIAL_MARK": mark])
    #expect(run.ended.status == 0, "\(run.ended.everything)")
    let flake = run.cases["failsOnce()"] ?? ""
    #expect(flake.contains("<flakyFailure message=") && flake.contains(": the first time"))
    #expect(run.ended.errors.contains("flaky: Trials/failsOnce()"))
  }

  @Test func aSignalIsPassedOnAndTheResultsAreWritten() throws {
    try Self.library.get()
    let junit = TestFiles.path("results.xml")
    let program = try Program(
      command: [
        "/usr/bin/env", "MAINSTAY_TRIAL=signal", "\(ChildProcess.directory)/crashscan", "test",
        "--junit", junit, "--",
      ] + Self.swiftTesting)
    #expect(program.wait(untilItSays: "waiting"))
    program.signal(SIGINT)
    let ending = program.end()
    #expect(ending.exitStatus == 128 + SIGINT, "\(ending.errors)")
    #expect(
      try String(contentsOfFile: junit, encoding: .utf8).contains("name=\"waitsForSignal()\""))
  }
}
