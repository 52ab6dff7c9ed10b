import LogReading
import Foundation
import IncidentModel
import ProcessTesting
import Testing

/// One call begins it all, and nothing stops the service.
@Suite("Start")
struct StartTests {
  private let log = TestFiles.path("breadcrumbs.log")

  private func trial(_ path: String, _ words: String...) throws -> Program.Ending {
    try Program.run("mainstay-trial", [path] + words)
  }

  private func directory(of path: String) -> String {
    (path as NSString).deletingLastPathComponent
  }

  @Test(
    "What one call begins records crumbs, violations and the crash, though nobody keeps anything")
  func everything() throws {
    let ending = try trial(log, "start", "violate", "crash")
    #expect(ending.signal == SIGSEGV)
    #expect(
      ending.lines == [
        "file \(log)", "problem none", "recording true", "release 1.4.2 environment trial",
      ])
    let incident = try LogReader(path: log).read()
    #expect(incident.crash?.signal == Int(SIGSEGV))
    #expect(incident.crumbs.contains { $0.message == "begun" })
    #expect(incident.crumbs.contains { $0.kind == .violation })
    #expect(incident.process?.release == "1.4.2")
    #expect(incident.process?.environment == "trial")
  }

  @Test("A violation in a task says in which")
  func task() throws {
    let ending = try trial(log, "start", "violate-in-child")
    #expect(ending.exitStatus == 0)
    let crumbs = try LogReader(path: log).read().crumbs
    let violations = crumbs.filter { $0.kind == .violation }
    try #require(violations.count == 2)
    guard case .integer? = violations[0]["task"] else {
      Issue.record("no task: \(violations[0].data)")
      return
    }
    #expect(violations[1]["task"] != violations[0]["task"])
  }

  @Test("What is linked and never called sets no hook of the runtime's")
  func untouchedRuntime() throws {
    let ending = try trial(log, "hook", "isolation")
    #expect(ending.lines == ["hook free"])
    #expect(ending.signal != nil && !ending.errors.contains("mainstay:"))
  }

  @Test(
    "A failed check of the main actor is explained from the start on",
    arguments: ["start", "policy"])
  func explainedIsolation(beginning: String) throws {
    let ending = try trial(log, "hook", beginning, "hook", "isolation")
    #expect(ending.lines.first == "hook free" && ending.lines.last == "hook taken")
    #expect(ending.signal != nil)
    #expect(ending.errors.contains(#"expected="main actor" ran="queue trial.worker"#))
  }

  @Test("The environment's words go before the program's")
  func environment() throws {
    let other = log + ".other"
    let ending = try ChildProcess.run(
      "mainstay-trial", [log, "start"],
      environment: [
        "MAINSTAY_LOG": other, "MAINSTAY_RELEASE": "2.0 ö", "MAINSTAY_ENVIRONMENT": "",
      ])
    #expect(ending.status == 0)
    #expect(ending.output.contains("file \(other)\n"))
    #expect(!FileManager.default.fileExists(atPath: log))
    let process = try LogReader(path: other).read().process
    #expect(process?.release == "2.0 ö")
    #expect(process?.environment == "trial")
  }

  @Test("A release that is too long is cut between characters, and another log's is not taken")
  func long() throws {
    let long = String(repeating: "ö", count: 100)
    _ = try ChildProcess.run(
      "mainstay-trial", [log, "start"], environment: ["MAINSTAY_RELEASE": long])
    #expect(try LogReader(path: log).read().process?.release == String(long.prefix(63)))
    // One byte of it is damaged: nothing is better than something else.
    let file = try #require(FileHandle(forUpdatingAtPath: log))
    try file.seek(toOffset: 1540)
    try file.write(contentsOf: Data("x".utf8))
    try file.close()
    let damaged = try LogReader(path: log).read()
    #expect(damaged.process != nil && damaged.process?.release == nil)
    #expect(damaged.crumbs.contains { $0.message == "begun" })
  }

  @Test("Beginning twice is beginning once")
  func twice() throws {
    let ending = try trial(log, "start", "start-elsewhere")
    #expect(ending.lines.count == 8 && ending.lines.prefix(4) == ending.lines.suffix(4))
    #expect(!FileManager.default.fileExists(atPath: log + ".elsewhere"))
  }

  @Test("While another process writes the log, this one has one beside it, which is used again")
  func inUse() throws {
    let first = try Program("mainstay-trial", [log, "start", "wait"])
    #expect(first.wait(for: "recording true"))
    let second = try Program("mainstay-trial", [log, "start", "crash"])
    let ending = second.end()
    let own = directory(of: log) + "/breadcrumbs-2.log"
    #expect(ending.lines.prefix(3) == ["file \(own)", "problem inUse", "recording true"])
    #expect(ending.errors.contains("process \(first.id) "))
    #expect(ending.errors.contains("recording to \(own)"))
    #expect(try LogReader(path: own).read().crash?.signal == Int(SIGSEGV))
    #expect(try trial(log, "start").lines.first == "file \(own)")
    let kept = directory(of: log) + "/breadcrumbs-2.1.log"
    #expect(try LogReader(path: kept).read().crash?.signal == Int(SIGSEGV))
    first.letGoOn()
    #expect(first.end().exitStatus == 0)
    #expect(try LogReader(path: log).read().crash == nil)
  }

  /// The service ran on to its own end, in memory, and said why once.
  private func expectMemory(_ ending: Program.Ending, _ code: String, _ reason: Int32? = nil) {
    #expect(ending.exitStatus == 0)
    #expect(ending.lines.prefix(3) == ["memory", "problem \(code)", "recording true"])
    let said = ending.errors.split(separator: "\n").filter { $0.contains("cannot record to") }
    #expect(said.count == 1 && said[0].contains("recording in memory"))
    if let reason { #expect(ending.errors.contains(String(cString: strerror(reason)))) }
  }

  @Test("Where the path is a directory")
  func pathIsADirectory() throws {
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    expectMemory(try trial(log, "start", "violate", "start"), "notARegularFile")
    expectMemory(try trial(log + "/", "start"), "cannotCreate", EISDIR)
  }

  @Test("Where the folder is not there")
  func noFolder() throws {
    expectMemory(try trial(log + "/a/b.log", "start"), "noDirectory", ENOENT)
  }

  @Test(
    "Where the folder may not be written",
    .enabled(if: canBecomeNobody, "only root can, where there is a nobody")
  )
  func unwritableFolder() throws {
    chmod(directory(of: log), 0o755)
    let ending = try trial(log, "become-nobody", "start")
    let isOutOfSight = ending.lines.contains("problem noDirectory")
    expectMemory(ending, isOutOfSight ? "noDirectory" : "cannotCreate", EACCES)
  }

  @Test("Where the disk is full", .enabled(if: canMount, "this system lets nobody mount"))
  func fullDisk() throws {
    let program = Program.directory + "/mainstay-trial"
    let inner = directory(of: log)
    let ending = try Program(command: [
      "unshare", "--mount", "sh", "-c",
      "mount -t tmpfs -o size=512k none \(inner) && \(program) \(log) start violate </dev/null",
    ]).end()
    expectMemory(ending, "noSpace", ENOSPC)
  }

  @Test("Where the log may not be as small as it should be")
  func tooSmall() throws {
    expectMemory(try trial(log, "tiny", "start"), "capacityTooSmall")
  }

  @Test("Where nothing more can be had, crumbs are ignored, and a crash is the service's own")
  func nothing() throws {
    let ending = try trial(log, "take-all-logs", "start", "violate")
    #expect(ending.exitStatus == 0)
    #expect(ending.lines.prefix(3) == ["nowhere", "problem tooManyLogs", "recording false"])
    #expect(try trial(log + "2", "take-all-logs", "start", "crash").signal == SIGSEGV)
  }

  @Test("A crash in memory is the service's own")
  func crashInMemory() throws {
    #expect(try trial(log + "/none/", "start", "violate", "crash").signal == SIGSEGV)
  }

  @Test(
    "Release and environment stand in every report",
    arguments: [
      "text", "json", "sarif", "html",
    ])
  func reports(_ format: String) throws {
    _ = try trial(log, "start", "violate", "crash")
    let report = try ChildProcess.run("crashscan", ["report", log, "--format", format])
    #expect(report.output.contains("1.4.2") && report.output.contains("trial"))
    for document in ["json", "sentry"] {
      let shown = try ChildProcess.run("crashscan", ["show", log, "--format", document])
      #expect(shown.output.contains("1.4.2") && shown.output.contains("trial"))
    }
  }

  static let canMount: Bool = {
    let ending = try? Program(
      command: ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    ).end()
    return ending?.exitStatus == 0
  }()
}
