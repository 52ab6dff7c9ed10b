import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import ProcessReading

/// What the rules say of programs that are stuck, and of some that only wait.
@Suite struct StuckTests {
  /// A scene, the rule that finds it, and the function that the finding names.
  static let verdicts: [(scene: String, rule: String, function: String)] = [
    ("queues", "sync-deadlock", "queues()"), ("locks", "sync-deadlock", "locks()"),
    ("main-and-worker", "sync-deadlock", "mainAndWorker()"),
    ("task-circle", "actor-cycle", "taskCircle()"),
    ("pool", "pool-blocked", "block(on:)"), ("lost", "leaked-continuation", "price()"),
    ("lost-unchecked", "leaked-continuation", "stock()"),
    ("group-and-detached", "leaked-continuation", "price()"),
    ("held-actor", "queue-blocked", "block(on:)"), ("main-actor", "main-blocked", "mainActor()"),
    ("barrier-in-read", "sync-deadlock", "Cache.write()"),
    ("barrier-and-lock", "sync-deadlock", "barrierAndLock()"),
    ("cancelled-in-list", "leaked-continuation", "Waiters.waitInList(_:)"),
    ("cancelled-in-table", "leaked-continuation", "Waiters.waitInTable(_:)"),
    ("group-child", "leaked-continuation", "stock()"),
    ("closed-stream", "leaked-continuation", "readPrices()"),
    ("busy-actor", "busy-task", "Index.rebuild(_:)"), ("cancelled-loop", "busy-task", "poll()"),
    ("main-for-itself", "sync-deadlock", "mainForItself()"),
    ("queue-reads", "queue-blocked", "Cable.readOne()"),
    ("main-lost", "leaked-continuation", "stock()"),
  ]

  /// The program is started again if it shows no loss: a word that an earlier call has left in memory may look like a
  /// reference, which spares the task.
  @Test(arguments: verdicts) func aStuckProgramIsJudged(
    scene: String, rule: String, function: String
  ) throws {
    var findings: [Finding] = []
    for _ in 0..<6 {
      findings = try Self.findings(in: scene) {
        $0.map(\.rule) == [rule] && $0[0].title.contains(function)
      }
      if !findings.isEmpty { break }
    }
    #expect(findings.map(\.rule) == [rule], "\(findings.map(\.title))")
    let finding = try #require(findings.first)
    #expect(finding.title.contains(function), "\(finding.title)")
    #expect(finding.culprit?.file != nil, "\(finding.title)")
  }

  /// Starts a scene and reads the findings until they are as wanted, or for some seconds.
  private static func findings(
    in scene: String, until isWanted: ([Finding]) -> Bool
  ) throws -> [Finding] {
    let program = try Program("stuck-tasks", [scene])
    defer { kill(program.id, SIGKILL) }
    #expect(program.wait(for: "READY"))
    var findings: [Finding] = []
    _ = try Snapshot.of(program, seconds: 8) { snapshot in
      findings = try snapshot.findings()
      return isWanted(findings)
    }
    return findings
  }

  /// A process that changes before its second reading.
  private final class ChangingProcess: ProcessSource {
    private let live: LiveProcess
    private let change: () -> Void
    private(set) var readings = 0
    var id: Int { live.id }
    var executable: String { live.executable }
    var symbolPlaces: [String] { live.symbolPlaces }
    var processors: Int? { live.processors }
    var modules: [Module] { live.modules }

    init(_ id: pid_t, change: @escaping () -> Void) throws {
      self.change = change
      live = try LiveProcess(Int(id), options: LiveProcess.Options(stop: 10_000_000_000))
    }

    func capture(
      whileStopped body: (any MemoryImage, [NativeThread]) -> Void
    ) throws(ProcessFailure) -> ProcessCapture {
      readings += 1
      if readings == 2 { change() }
      return try live.capture(whileStopped: body)
    }
  }

  @Test func theFirstReadingRemainsOfAProcessThatEndsBeforeTheSecond() throws {
    let program = try Program("stuck-tasks", ["queue-reads"])
    defer { kill(program.id, SIGKILL) }
    #expect(program.wait(for: "READY"))
    let end = Date(timeIntervalSinceNow: 20)
    var readings = 0
    while readings < 2 && Date() < end {
      let process = try ChangingProcess(program.id) {
        kill(program.id, SIGKILL)
        program.waitUntilItIsDead()
      }
      let (capture, tasks) = try process.captureWithTasks(ProcessSymbols(process.modules))
      readings = process.readings
      if readings < 2 { continue }
      #expect(tasks.queues.map(\.label) == ["printer"])
      #expect(tasks.lasting == nil)
      #expect(capture.notes.contains { $0.contains("only once") }, "\(capture.notes)")
    }
    #expect(readings == 2)
  }

  /// The program is started again if a word that an earlier call has left in memory looks like a reference at once.
  @Test func aContinuationThatOneReadingMissesIsNotLost() throws {
    var readings = 0
    for _ in 0..<6 where readings < 2 {
      let program = try Program("stuck-tasks", ["hidden-continuation"])
      defer { kill(program.id, SIGKILL) }
      #expect(program.wait(for: "READY"))
      let process = try ChangingProcess(program.id) {
        program.letGoOn()
        #expect(program.wait(for: "SHOWN"))
      }
      let tasks = try process.captureWithTasks(ProcessSymbols(process.modules)).tasks
      readings = process.readings
      #expect(tasks.lost { _ in false } == [])
    }
    #expect(readings == 2)
  }

  /// A word that an earlier call has left on another thread's stack may look like a party that can still signal.
  @Test func anActorThatBlocksForItsOwnWorkIsFound() throws {
    let program = try Program("stuck-tasks", ["actor-itself"])
    defer { kill(program.id, SIGKILL) }
    #expect(program.wait(for: "READY"))
    let wanted: Set = ["actor-cycle", "queue-blocked"]
    var findings: [Finding] = []
    _ = try Snapshot.of(program) { snapshot in
      findings = try snapshot.findings()
      return !findings.isEmpty
    }
    #expect(findings.count == 1 && wanted.contains(findings[0].rule), "\(findings.map(\.title))")
    #expect(findings.first?.title.contains("block(on:)") == true, "\(findings.map(\.title))")
  }

  /// With two processors the tasks that the actors wait for get no thread; with more they wait for the actors.
  @Test func actorsThatWaitForEachOtherAreFound() throws {
    let program = try Program("stuck-tasks", ["two-actors"])
    defer { kill(program.id, SIGKILL) }
    #expect(program.wait(for: "READY"))
    let wanted: Set = ["actor-cycle", "pool-blocked"]
    var findings: [Finding] = []
    _ = try Snapshot.of(program) { snapshot in
      findings = try snapshot.findings()
      return !findings.isEmpty
    }
    #expect(findings.count == 1 && wanted.contains(findings[0].rule), "\(findings.map(\.title))")
  }

  @Test(arguments: [
    "sleeping-loop", "idle-server", "open-stream", "kept-continuation", "busy", "connection-pool",
    "waiting-thread", "suspended-queue", "barrier-behind-work", "others-left",
    "waits-for-cancellation", "stream-of-closure", "actor-in-turns", "cancelled-wait",
    "queue-reads-in-turns", "queue-pauses", "main-waits", "copies-in-freed-memory",
  ]) func anIdleProgramIsNotAccused(scene: String) throws {
    let program = try Program("stuck-tasks", [scene])
    defer { kill(program.id, SIGKILL) }
    #expect(program.wait(for: "READY"))
    // It is looked at at several moments, as it comes to its rest and later.
    for _ in 0..<5 {
      let titles = try Snapshot(of: program.id).findings().map(\.title)
      #expect(titles == [], "\(titles)")
    }
  }

  private static let makesNamespaces: Bool = {
    let ended = try? ChildProcess.run(path: "/usr/bin/env", ["unshare", "-pf", "true"], [:])
    return ended.map { $0.status == 0 && $0.signal == 0 } ?? false
  }()

  /// Its queues and locks hold the ids that its threads have in there.
  @Test(.enabled(if: makesNamespaces, "no PID namespaces can be made"))
  func aDeadlockInAnotherNamespaceOfProcessesIsFound() throws {
    let path = "\(ChildProcess.directory)/stuck-tasks"
    for (scene, rule) in [("queues", "sync-deadlock"), ("barrier-in-read", "sync-deadlock")] {
      let parent = try Program(command: [
        "/usr/bin/env", "unshare", "-pf", "--kill-child", path, scene,
      ])
      defer { kill(parent.id, SIGKILL) }
      #expect(parent.wait(for: "READY"))
      let children = try String(
        contentsOfFile: "/proc/\(parent.id)/task/\(parent.id)/children", encoding: .utf8)
      let child = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
      let end = Date(timeIntervalSinceNow: 20)
      var rules: [String] = []
      while rules.isEmpty && Date() < end { rules = try Snapshot(of: child).findings().map(\.rule) }
      #expect(rules == [rule])
    }
  }
}
