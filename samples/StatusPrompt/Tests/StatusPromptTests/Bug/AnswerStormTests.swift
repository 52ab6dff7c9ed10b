import AffinityTesting
import HeadlessUI
import StatusModel
import Synchronization
import Testing

@testable import StatusPrompt

/// Storms that know answers, taps and the life of the app, and nothing of what is wrong.
@Suite(.serialized) struct AnswerStormTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func aStormFindsThatAnswersMoveTheScreenOffMain(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug(inChildren: true) {
      try await AppInAStorm.offer([], to: $0)
    }
    let bug = try #require(found)
    #expect(bug.schedule.steps.count <= 5, "\(bug)")
    #expect(bug.failures > 0, "\(bug)")
  }

  /// The order is the bug: the answer comes on main, when nobody wants it any more.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func aStormFindsThatAHopAloneAsksWhoHasSignedOut(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug { scenario in
      try await AppInAStorm.offer([.hops, .waitsForFront], to: scenario)
    }
    let bug = try #require(found)
    #expect(bug.reason.contains("who has signed out is asked and told nothing"), "\(bug)")
    #expect((2...5).contains(bug.schedule.steps.count), "\(bug)")
    #expect(bug.schedule.steps.contains { $0.action == .act("sign out or in") }, "\(bug)")
  }

  /// The state of the app's life is the bug: in front the same answers are well.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func aStormFindsThatTheScreenMovesUnseen(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug { scenario in
      try await AppInAStorm.offer([.hops, .ignoresLate], to: scenario, of: .steady)
    }
    let bug = try #require(found)
    #expect(bug.reason.contains("nothing changes in the background"), "\(bug)")
    #expect((2...5).contains(bug.schedule.steps.count), "\(bug)")
    #expect(bug.schedule.steps.contains { $0.action == .lifecycle(.background) }, "\(bug)")
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func noStormFindsAnythingWithAllCare(seed: UInt64) async throws {
    try await CallbackStorm(seed: seed, deliveries: 200).run(against: { scenario in
      try await AppInAStorm.offer(.full, to: scenario)
    })
  }
}
