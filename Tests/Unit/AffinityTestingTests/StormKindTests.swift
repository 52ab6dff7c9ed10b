import AffinityTesting
import ProcessTesting
import Testing

/// A kind of bug that a storm is to find, in a system that has it and in the same one fixed.
struct StormKind: Sendable, CustomTestStringConvertible {
  let name: String
  let broken: CallbackStorm.Body
  let fixed: CallbackStorm.Body
  /// What the failing deliveries have in them, whatever the seed.
  let needs: [String]

  var testDescription: String { name }

  static let all = [
    StormKind(
      name: "off main", broken: PriceFeed.storm(isFixed: false),
      fixed: PriceFeed.storm(isFixed: true), needs: ["price"]),
    StormKind(
      name: "after cancel", broken: SearchScreen.storm(.showsWhenClosed),
      fixed: SearchScreen.storm(nil), needs: ["a key", "cancel", ": answer"]),
    StormKind(
      name: "overtaken", broken: SearchScreen.storm(.showsTheLastToCome),
      fixed: SearchScreen.storm(nil), needs: ["a key", "newest"]),
    StormKind(
      name: "in the background", broken: UploadScreen.storm(isFixed: false),
      fixed: UploadScreen.storm(isFixed: true), needs: ["background", "upload began", "progress"]),
    StormKind(
      name: "reused", broken: PictureList.storm(isFixed: false),
      fixed: PictureList.storm(isFixed: true), needs: ["scroll", ": picture"]),
    StormKind(
      name: "twice", broken: Basket.storm(isFixed: false), fixed: Basket.storm(isFixed: true),
      needs: ["buy", "twice"]),
    StormKind(
      name: "concurrently", broken: Login.storm(isFixed: false),
      fixed: Login.storm(isFixed: true), needs: ["concurrently"]),
  ]
}

extension InTurn {
  @Suite struct StormKindTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5]

    @Test(.long, arguments: StormKind.all)
    func isFoundInTwoHundredDeliveriesAndShrunkToFive(_ kind: StormKind) async throws {
      for seed in Self.seeds {
        let storm = CallbackStorm(seed: seed, deliveries: 200)
        let bug = try #require(try await storm.findBug(against: kind.broken), "seed \(seed)")
        #expect(1...5 ~= bug.schedule.deliveries, "\(bug)")
        #expect(bug.failures > 0, "\(bug)")
        for need in kind.needs { #expect("\(bug.schedule)".contains(need), "\(bug)") }
      }
    }

    /// Only so many deliveries later does a price come again that is known.
    @Test(arguments: [1109, 1305] as [UInt64])
    func stepsThatCannotBeMissedAloneAreLeftOutTogether(seed: UInt64) async throws {
      let storm = CallbackStorm(seed: seed)
      let bug = try #require(try await storm.findBug(against: PriceFeed.storm(isFixed: false)))
      #expect(bug.schedule.deliveries <= 4, "\(bug)")
    }

    @Test(.long, arguments: StormKind.all)
    func isNotFoundWhereItIsMended(_ kind: StormKind) async throws {
      for seed in Self.seeds {
        try await CallbackStorm(seed: seed, deliveries: 200).run(against: kind.fixed)
      }
    }
  }
}
