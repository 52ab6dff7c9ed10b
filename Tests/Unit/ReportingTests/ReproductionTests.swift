import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Reporting

/// What the report says of how to see a finding again, and what is written then.
@Suite(.serialized) struct ReproductionTests {
  @Test(arguments: [
    ("wrong-queue", "DispatchQueue(label: \"com.example.repository\")", "Affinity.queue(home)"),
    ("wrong-actor", "private actor Home {}", "Affinity.actor(home)"),
    ("wrong-main", "func calledBack() {", "Affinity.main"),
  ])
  func theTestHasTheHomeThatWasLeft(_ way: String, declared: String, affinity: String) throws {
    let entries = try report(on: logOfMisbehaviour(way)).entries
    let finding = try #require(entries.map(\.finding).first { $0.rule == "wrong-executor" })
    let schedule = try #require(ReproSchedule(finding, LifecycleMoves()))
    let text = ReproWriter(finding, number: 1, schedule).write()
    #expect(text.contains(declared), "\(text)")
    #expect(text.contains("\(affinity).expect("), "\(text)")
  }

  @Test func aThreadIsNoHomeThatATestCouldGive() throws {
    let entries = try report(on: logOfMisbehaviour("wrong-thread")).entries
    let finding = try #require(entries.map(\.finding).first { $0.rule == "wrong-executor" })
    #expect(finding.home == nil && ReproStory(finding) == nil)
  }

  /// A queue's label is no callback.
  @Test func twoQueuesThatWaitedForEachOtherAreNotRepeated() {
    let finding = Finding(
      rule: "sync-deadlock", severity: .error, title: "Two queues waited for each other",
      culprit: nil, api: "com.example.rows", fix: Finding.Fix(""), identity: "queues",
      defect: "deadlock")
    #expect(ReproSchedule(finding, LifecycleMoves()) == nil)
    #expect(ReproStory.refusal(of: finding).hasPrefix("two queues"))
  }
}
