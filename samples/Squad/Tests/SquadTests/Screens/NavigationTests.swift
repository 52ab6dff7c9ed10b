import AffinityTesting
import Foundation
import HeadlessUI
import LoopbackHTTP
import Testing

@testable import Squad

extension OnScreen {
  /// The way to the detail and back: once, however it is tapped, and no further than one wants.
  @MainActor @Suite(.affinityChecked) struct NavigationTests {
    @Test func tappingARowTwicePushesOneDetail() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      app.screen.table.selectRow(at: IndexPath(row: 2))
      app.screen.table.selectRow(at: IndexPath(row: 2))
      app.screen.table.selectRow(at: IndexPath(row: 3))
      #expect(app.app.navigation.viewControllers.count == 2)
      #expect(app.detail?.hero.id == 3)
    }

    @Test func tappingAMemberStaysAtTheDetailWhileTheSquadChanges() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      try await app.hire(row: 2)
      app.screen.strip.tapMember(at: 0)
      app.screen.strip.tapMember(at: 0)
      #expect(app.app.navigation.viewControllers.count == 2)
      // The list below hears of changes, and does not take the user back.
      app.list.send(.squadArrived([.sample(9)]))
      app.list.send(.willAppear)
      try await eventually { app.detail?.store.state.membership == .member }
      app.detail?.screen.button.tap()
      app.detail?.screen.confirmation.fire.tap()
      try await eventually { app.detail?.store.state.membership == .stranger }
      #expect(app.detail?.hero.id == 3)
      #expect(app.app.navigation.viewControllers.count == 2)
    }

    @Test func afterGoingBackTheSameHeroOpensAgain() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      for _ in 0..<3 {
        try await app.open(row: 2)
        #expect(app.app.navigation.viewControllers.count == 2)
        app.window.button("‹")?.tap()
        #expect(app.app.navigation.viewControllers.count == 1)
      }
    }

    @Test func aDetailThatIsLeftIsLetGoWithItsWork() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      let gates = ["/v1/public/characters/3/comics", "/images/3.pgm"].map(app.server.hold)
      app.screen.table.selectRow(at: IndexPath(row: 2))
      weak let detail = app.detail
      #expect(detail != nil)
      try await app.back()
      #expect(detail == nil)
      gates.forEach { $0.open() }
      try await app.settle()
    }
  }
}
