import AffinityTesting
import Testing

@testable import Browser

/// Storms that know pages, the screen and chapters that come, and nothing of what is wrong.
@Suite(.serialized) struct ContentStormTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func aStormFindsThatChaptersArriveOffMain(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug(inChildren: true) {
      await GuideInAStorm.offer(.none, to: $0)
    }
    let bug = try #require(found)
    #expect(bug.schedule.steps.count <= 5, "\(bug)")
    #expect(bug.failures > 0, "\(bug)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func noStormFindsAnythingBehindTheHop(seed: UInt64) async throws {
    try await CallbackStorm(seed: seed, deliveries: 200).run(against: { scenario in
      await GuideInAStorm.offer(.hop, to: scenario)
    })
  }
}
