import AffinityTesting
import Foundation
import HeadlessUI
import Testing

@testable import BackgroundLayout

@MainActor
@Suite(.affinityChecked) struct FeedControllerTests {
  @Test func itShowsWhatItDownloads() async throws {
    let reader = try Reader(.pause)
    #expect(reader.window.renderedText().contains("Nothing to read yet."))
    reader.feed.refresh()
    try await reader.wait { reader.feed.answers == 1 }
    try await reader.wait { reader.window.renderedText().contains("2 articles") }
    #expect(
      reader.window.renderedText() == """
        ┌─ Reader ─────────────────────────┐
        │Articles                          │
        │· 2 articles, 2 new               │
        │● Second                          │
        │● First                           │
        │                                  │
        │                                  │
        └──────────────────────────────────┘
        """)
  }

  @Test func withoutAServerItSaysSo() async throws {
    let reader = try Reader(.pause)
    let feed = FeedController(
      application: reader.application, server: URL(fileURLWithPath: "/nowhere"),
      store: PositionStore(file: reader.file), remedy: .pause)
    reader.window.rootViewController = feed
    feed.refresh()
    try await reader.wait { reader.window.renderedText().contains("offline:") }
  }

  @Test func anArticleIsOpenedWhereItWasLeft() async throws {
    let reader = try Reader(.pause)
    reader.feed.refresh()
    try await reader.wait { reader.window.renderedText().contains("● First") }
    let table = try #require(
      reader.window.shownViews.lazy.compactMap { $0 as? TableView }.first)
    table.selectRow(at: IndexPath(row: 1))
    let text = try #require(reader.window.first(labelled: "article") as? ScrollView)
    text.drag(by: Point(y: 3))
    #expect(reader.window.renderedText().contains("│Two.") == false)
    reader.window.button("‹")?.tap()
    #expect(reader.window.renderedText().contains("2 articles, 1 new"))
    table.selectRow(at: IndexPath(row: 1))
    let again = try #require(reader.window.first(labelled: "article") as? ScrollView)
    #expect(again.contentOffset == Point(y: 3))
  }

  @Test func whatWasReadIsSavedInTheBackgroundAndThereAfterARelaunch() async throws {
    let reader = try Reader(.pause)
    reader.feed.refresh()
    try await reader.wait { reader.window.renderedText().contains("● First") }
    let table = try #require(
      reader.window.shownViews.lazy.compactMap { $0 as? TableView }.first)
    table.selectRow(at: IndexPath(row: 1))
    (reader.window.first(labelled: "article") as? ScrollView)?.drag(by: Point(y: 2))
    reader.window.button("‹")?.tap()
    reader.application.enterBackground()
    try await reader.wait { reader.feed.answers == 2 }
    #expect(PositionStore(file: reader.file).load()[1] == 2)
  }

  @Test func aTaskWhoseTimeIsUpIsEndedAndWhatItBringsLaterIsShownInFront() async throws {
    let store = HeldStore()
    let reader = try Reader(.pause, store: store)
    reader.application.enterBackground()
    #expect(reader.application.backgroundTasks == ["save reading positions"])
    reader.application.expireBackgroundTasks()
    #expect(reader.application.backgroundTasks.isEmpty)
    DispatchQueue.global().async { store.answer() }
    try await reader.wait { reader.feed.answers == 1 }
    reader.application.enterForeground()
    try await reader.wait { reader.window.renderedText().contains("✓") }
  }

  @Test func whatEndsInTheBackgroundIsShownInFront() async throws {
    let reader = try Reader(.pause)
    try await reader.goToBackgroundWhileDownloading()
    reader.server.release()
    try await reader.wait { reader.feed.answers == 3 }
    #expect(!reader.window.renderedText().contains("Late"))
    reader.application.enterForeground()
    try await reader.wait { reader.window.renderedText().contains("● Late") }
    #expect(reader.window.renderedText().contains("✓ 3 articles, 3 new"))
  }
}
