import LogReading
import Foundation
import IncidentModel
import CLogFormat
import ProcessTesting
import Testing

/// `crashscan run`: a program that asks for nothing itself.
@Suite("Calls that block a program under crashscan run", .long, .enabled(if: !isSanitized))
struct PreloadedTests {
  /// Beside crashscan, where it looks.
  private static let library = Result {
    let done = try ChildProcess.run(
      path: Repository.root.appendingPathComponent("scripts/preload").path,
      ["\(ChildProcess.directory)/libmainstay-blocking.so"])
    guard done.status == 0, done.signal == 0 else { throw NotBuilt(errors: done.everything) }
  }

  private struct NotBuilt: Error { let errors: String }

  private func run(
    _ arguments: [String], log: String, _ environment: [String: String] = [:],
    options: [String] = []
  ) throws -> ChildProcess {
    try Self.library.get()
    return try ChildProcess.run(
      "crashscan", ["run", "--log", log] + options + ["--"] + arguments,
      environment: ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 })
  }

  private func crumbs(of scene: String, options: [String] = []) throws -> [Crumb] {
    let log = TestFiles.path("blocking.log")
    let ended = try run([Scene.program, scene], log: log, options: options)
    try #require(ended.signal == 0 && ended.status == 0, "\(ended.everything)")
    return try Scene.crumbs(in: log)
  }

  @Test func whatStandsInFrontIsKnownToTheAnalysis() throws {
    try Self.library.get()
    let symbols = try ChildProcess.run(
      path: "/usr/bin/env",
      ["nm", "-D", "--defined-only", "\(ChildProcess.directory)/libmainstay-blocking.so"])
    // An address, what it is, and the name.
    let weak: [String] = symbols.output.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 3 && words[1] == "W" ? String(words[2]) : nil
    }
    let names = ms_own_interposers()!
    let known = (0...).lazy.map { names[$0] }.prefix { $0 != nil }.map { String(cString: $0!) }
    #expect(Set(weak.filter { !$0.hasPrefix("mainstay_") }) == Set(known))
  }

  @Test(arguments: Scene.pool)
  func areFoundOnThePool(scene: Scene) throws {
    let found = try crumbs(of: scene.name)
    let crumb = try #require(found.first { $0.message == scene.call }, "\(found.map(\.message))")
    #expect(crumb[MS_KEY_EXECUTOR] == .string("pool"))
    #expect(crumb.stack?.end == .complete && (crumb.stack?.frames.count ?? 0) > 2)
  }

  /// With the standard library linked in, the main queue is not known in the first second.
  @Test(
    arguments: [("loop", "loop")]
      + (Scene.isStatic ? [] : [("main", "main queue"), ("main-actor", "main queue")]))
  func areFoundElsewhere(scene: String, executor: String) throws {
    #expect(try crumbs(of: scene).map { $0[MS_KEY_EXECUTOR] } == [.string(executor)])
  }

  @Test func threadsAreLoopsByTheNamesThatAreAskedFor() throws {
    let options = ["--loops", "worker-,uv-loop-"]
    let found = try crumbs(of: "other-loop", options: options)
    #expect(found.map { $0[MS_KEY_EXECUTOR] } == [.string("loop")])
    #expect(try crumbs(of: "loop", options: options).map(\.message) == [])
  }

  private static let unasked = Scene.controls.filter {
    !$0.hasPrefix("allowed") && $0 != "stopped"
  }

  @Test(arguments: unasked)
  func controls(scene: String) throws {
    #expect(try crumbs(of: scene).map(\.message) == [])
  }

  @Test("are told while they go on where they never come back")
  func neverEnds() throws {
    try Self.library.get()
    let log = TestFiles.path("blocking.log")
    let program = try Program(
      command: [
        "\(ChildProcess.directory)/crashscan", "run", "--log", log, "--", Scene.program, "never",
      ])
    try Scene.hasOneThatGoesOn(program, "pool", log)
  }

  @Test("leave out that Swift's backtracer has the thread that died wait for it")
  func backtracer() throws {
    let log = TestFiles.path("blocking.log")
    let ended = try run(
      [Scene.program, "dies"], log: log,
      ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no,warnings=suppressed"])
    #expect(ended.signal != 0 && ended.errors.contains("on purpose"))
    let crumbs = try Scene.crumbs(in: log)
    #expect(crumbs.isEmpty, "\(crumbs)")
  }

  @Test("leave the crash of the program in the log, with its line, and its status as it was")
  func crash() throws {
    let log = TestFiles.path("blocking.log")
    let ended = try run([Scene.program, "dies"], log: log)
    #expect(ended.signal == SIGILL, "\(ended.everything)")
    let crash = try #require(try LogReader(path: log).read().crash)
    #expect(crash.signal == Int(SIGILL) && crash.stage == .recorded && !crash.otherThreads.isEmpty)
    let report = try ChildProcess.run("crashscan", [log])
    #expect(report.output.contains("error crash-cause\n  Fatal error in "))
    #expect(report.output.contains("(scenes.swift:") && report.output.contains(": on purpose\n"))
    #expect(!report.output.contains("less than usual"))
  }

  @Test("leave a closed pipe the end of the program that it is, and no crash")
  func closedPipe() throws {
    let log = TestFiles.path("blocking.log")
    try Self.library.get()
    let piped = try ChildProcess.run(
      path: "/bin/bash",
      ["-c", "\(ChildProcess.directory)/crashscan run --log \(log) -- yes | head -1"])
    #expect(piped.output == "y\n", "\(piped.everything)")
    #expect(try LogReader(path: log).read().crash == nil)
  }

  @Test("are found behind another library that is preloaded")
  func anotherLibrary() throws {
    let (source, library) = (TestFiles.path("other.c"), TestFiles.path("other.so"))
    try """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <unistd.h>
    int usleep(unsigned time) {
      if (write(2, "another\\n", 8) != 8) return -1;
      return ((int (*)(unsigned))dlsym(RTLD_NEXT, "usleep"))(time);
    }
    """.write(toFile: source, atomically: true, encoding: .utf8)
    let built = try ChildProcess.run(
      path: "/usr/bin/env", ["clang", "-shared", "-fPIC", source, "-o", library])
    try #require(built.status == 0, "\(built.everything)")
    let log = TestFiles.path("blocking.log")
    let ended = try run([Scene.program, "usleep"], log: log, ["LD_PRELOAD": library])
    #expect(ended.errors.contains("another"))
    #expect(try Scene.crumbs(in: log).map(\.message) == ["usleep"])
  }

  @Test(
    "are found in a program that another one executes in the same process",
    arguments: [
      ["/bin/sh", "-c", "exec \"$@\"", "entry"], ["/usr/bin/env"],
      ["/bin/bash", "-c", "exec \"$@\"", "entry"],
      ["/usr/bin/env", "SOME=thing", "/bin/sh", "-c", "exec \"$@\"", "entry"],
    ])
  func executed(by first: [String]) throws {
    let log = TestFiles.path("blocking.log")
    let ended = try run(first + [Scene.program, "usleep"], log: log)
    try #require(ended.signal == 0 && ended.status == 0, "\(ended.everything)")
    #expect(try Scene.crumbs(in: log).map(\.message) == ["usleep"])
  }

  @Test("leave no request in the environment of the program that is executed last")
  func executedWithoutARequest() throws {
    let log = TestFiles.path("blocking.log")
    let ended = try run(["/bin/sh", "-c", "exec /usr/bin/env"], log: log)
    #expect(ended.status == 0 && !ended.output.contains("MAINSTAY_RUN"))
    #expect(!ended.output.contains("LD_PRELOAD"))
  }

  @Test("leave a program whose exec fails as it is")
  func failedExecution() throws {
    let log = TestFiles.path("blocking.log")
    let ended = try run(["/usr/bin/env", "/nonexistent/program"], log: log)
    #expect(ended.status == 127 && ended.errors.contains("/nonexistent/program"))
    #expect(try LogReader(path: log).read().ending == .clean)
  }

  @Test func theProgramsOwnLookTakesItsPlace() throws {
    let (log, own) = (TestFiles.path("blocking.log"), TestFiles.path("own.log"))
    _ = try run([Scene.program, "usleep", own, "record"], log: log)
    #expect(try Scene.crumbs(in: own).map(\.message) == ["usleep"])
    #expect(try Scene.crumbs(in: log).map(\.message) == [])
  }

  @Test func aRecorderOfTheProgramTakesWhatIsFound() throws {
    let (log, own) = (TestFiles.path("blocking.log"), TestFiles.path("own.log"))
    let ended = try run([Scene.program, "usleep", own, "none"], log: log)
    #expect(ended.errors.contains("this program has its own recorder"))
    #expect(try Scene.crumbs(in: own).map(\.message) == ["usleep"])
    #expect(try Scene.crumbs(in: log).map(\.message) == [])
  }

  @Test func theProgramTakesThePlaceOfCrashscan() throws {
    let log = TestFiles.path("blocking.log")
    let exited = try run(["sh", "-c", "echo $LD_PRELOAD $MAINSTAY_RUN_LOG; exit 7"], log: log)
    #expect(exited.status == 7 && exited.output == "\n")
    #expect(exited.errors.contains("are recorded in \(log)"))
    #expect(exited.errors.contains("the Swift runtime was not found in this program"))
    let looked = try run([Scene.program, "usleep"], log: log)
    #expect(!looked.errors.contains("is not found"))
    let killed = try run(["sh", "-c", "kill -9 $$"], log: log)
    #expect(killed.signal == SIGKILL)
  }

  @Test func whatCannotBeLookedAtIsRefused() throws {
    let log = TestFiles.path("blocking.log")
    let missing = try run(["no-such-program"], log: log)
    #expect(missing.status == 2 && missing.errors.contains("no-such-program: no such program"))
    let source = TestFiles.path("static.c"), program = TestFiles.path("static")
    try "int main(void) { return 0; }".write(toFile: source, atomically: true, encoding: .utf8)
    let built = try ChildProcess.run(
      path: "/usr/bin/env", ["clang", "-static", source, "-o", program])
    try #require(built.status == 0, "\(built.everything)")
    let refused = try run([program], log: log)
    #expect(refused.status == 2 && refused.errors.contains("is fully static"))
  }
}
