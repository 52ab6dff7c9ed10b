import AffinityTesting
import BackgroundLayout
import Foundation
import HeadlessUI
import Synchronization
import Testing

/// Storms that know the callbacks of the list, and nothing of what is wrong with it.
@Suite(.serialized) struct BackgroundStormTests {
  /// The list as a storm sees it: its callbacks, and the life of the app around it.
  @MainActor
  private static func offer(
    _ remedy: Remedy, to scenario: StormScenario, inBackgroundNothingChanges: Bool = false
  ) throws {
    let store = HeldStore()
    let reader = try Reader(remedy, store: store)
    let feed = reader.feed
    let application = reader.application
    let download = ArticleDownload(from: reader.server.url, delegate: feed)
    scenario.lifecycle.onEvent { application.follow($0) }
    scenario.callback("download finished") { number in
      feed.articleDownload(
        download, didFinishWith: [Article(id: number, title: "Article \(number)", text: "")])
    }
    scenario.callback("download failed") {
      feed.articleDownload(download, didFailWith: "no network")
    }
    if inBackgroundNothingChanges {
      let window = reader.window
      let seen = Mutex<String?>(nil)
      scenario.lifecycle.onEvent { event in
        if event == .didEnterBackground { seen.withLock { $0 = window.renderedText() } }
        if event == .willEnterForeground { seen.withLock { $0 = nil } }
      }
      scenario.check("nothing changes in the background") {
        seen.withLock { $0.map { $0 == window.renderedText() } ?? true }
      }
    }
    scenario.callback("positions saved") { store.answer() }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aStormFindsThatTheBackgroundIsTheOneStateThatDoesNotHop(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug(inChildren: true) {
      try await Self.offer(.none, to: $0)
    }
    let bug = try #require(found)
    // It takes a state and a delivery: off main alone is well.
    #expect(bug.schedule.steps.first?.action == .lifecycle(.background), "\(bug)")
    #expect(bug.schedule.steps.count == 2, "\(bug)")
    #expect(bug.failures > 0, "\(bug)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func whereHoppingIsAllAStormFindsThatTheScreenChangesUnseen(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug { scenario in
      try await Self.offer(.hop, to: scenario, inBackgroundNothingChanges: true)
    }
    let bug = try #require(found)
    #expect(bug.reason.contains("nothing changes in the background"), "\(bug)")
    #expect(bug.schedule.steps.first?.action == .lifecycle(.background), "\(bug)")
    #expect(bug.schedule.steps.count == 2, "\(bug)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func noStormFindsAnythingWithARemedy(seed: UInt64) async throws {
    try await CallbackStorm(seed: seed, deliveries: 200).run(against: { scenario in
      try await Self.offer(.hop, to: scenario)
    })
    try await CallbackStorm(seed: seed, deliveries: 200).run(against: { scenario in
      try await Self.offer(.pause, to: scenario, inBackgroundNothingChanges: true)
    })
  }
}
