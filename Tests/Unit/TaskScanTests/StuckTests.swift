import Foundation
import IncidentModel
import ProcessTesting
import Testing

/// What the rules say of programs that are stuck, and of some that only wait.
@Suite struct StuckTests {
  /// A scene, the rule that finds it, and the function that the finding names.
  static let verdicts: [(scene: String, rule: String, function: String)] = [
    ("queues", "sync-deadlock", "queues()"), ("locks", "sync-deadlock", "locks()"),
    ("main-and-worker", "sync-deadlock", "mainAndWorker()"),
    ("task-circle", "actor-cycle", "taskCircle()"),
    ("pool", "pool-blocked", "block(on:)"), ("lost", "leaked-continuation", "price()"),
    ("group-and-detached", "leaked-continuation", "price()"),
    ("held-actor", "queue-blocked", "block(on:)"), ("main-actor", "main-blocked", "mainActor()"),
  ]

  @Test(arguments: verdicts) func aStuckProgramIsJudged(
    scene: String, rule: String, function: String
  ) throws {
    let program = try Program("stuck-tasks", [scene])
    defer { kill(program.id, SIGKILL) }
    #expect(program.wait(for: "READY"))
    var findings: [Finding] = []
    _ = try Snapshot.of(program) { snapshot in
      findings = try snapshot.findings()
      return findings.contains { $0.rule == rule }
    }
    #expect(findings.map(\.rule) == [rule])
    let finding = try #require(findings.first)
    #expect(finding.title.contains(function), "\(finding.title)")
    #expect(finding.culprit?.file != nil, "\(finding.title)")
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
    "waiting-thread",
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
}
