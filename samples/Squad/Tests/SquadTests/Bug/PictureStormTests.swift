import AffinityTesting
import Foundation
import Synchronization
import Testing

@testable import Squad

extension OnScreen {
  /// What a storm of pictures does to a cell that changes hands.
  @Suite struct PictureStormTests {
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func aStormFindsThatPicturesLandOffMain(seed: UInt64) async throws {
      let bug = try await CallbackStorm(seed: seed, deliveries: 200).findBug(against: body([]))
      let found = try #require(bug)
      #expect(found.schedule.steps.count <= 5)
    }

    /// The order is the bug here, not the queue: all is on main, and a picture comes to the next hero.
    /// Cancelling leaves that too: an answer may be on its way to the main queue by then.
    @Test(arguments: [ImageCare.hops, [.hops, .cancels]], 1...5 as ClosedRange<UInt64>)
    func aStormFindsThatWithoutATokenTheOrderIsWrong(care: ImageCare, seed: UInt64) async throws {
      let bug = try await CallbackStorm(seed: seed, deliveries: 200).findBug(against: body(care))
      let found = try #require(bug)
      #expect("\(found)".contains("nobody has another's picture"))
      #expect((2...5).contains(found.schedule.steps.count), "\(found)")
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func noStormFindsAnythingWithTheFix(seed: UInt64) async throws {
      try await CallbackStorm(seed: seed, deliveries: 200).run(against: body(.full))
    }

    private func body(_ care: ImageCare) -> CallbackStorm.Body {
      { scenario in
        let cell = await CellInAStorm(care)
        scenario.callback("a picture comes") { cell.answer(with: PictureSamples.grey) }
        scenario.callback("a picture is not found") { cell.answer(with: .failure(.noPicture)) }
        scenario.callback("the squad changes") { cell.change() }
        scenario.check("nobody has another's picture") { cell.isRight }
      }
    }
  }
}
