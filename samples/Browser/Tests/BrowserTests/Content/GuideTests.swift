import AffinityTesting
import Foundation
import HeadlessUI
import LoopbackHTTP
import Testing

@testable import Browser

/// The guide against a real server.
@MainActor
@Suite(.affinityChecked) struct GuideTests {
  private let guide: Guide

  init() throws { guide = try Guide(.hop) }

  @Test func itShowsTheChapterAndHasLoadedTheNext() async throws {
    guide.open()
    #expect(guide.window.renderedText().contains("loading …"))
    try await guide.settle()
    #expect(
      guide.window.renderedText() == """
        ┌─ Guide ────────────────────┐
        │PART 0                      │
        │                            │
        │This is part 0.             │
        │                            │
        │                            │
        │                            │
        │                            │
        └────────────────────────────┘
        """)
    #expect(guide.server.asked.sorted() == [0, 1])
    guide.turnPage()
    #expect(guide.window.renderedText().contains("This is part 1."))
  }

  @Test func whatFailsCanBeTriedAgain() async throws {
    guide.server.fail(0)
    guide.open()
    try await guide.settle()
    #expect(guide.window.renderedText().contains("No chapter: the server"))
    guide.window.button("Try again")?.tap()
    try await guide.settle()
    #expect(guide.window.renderedText().contains("This is part 0."))
  }

  @Test(arguments: ["hangs up", "is cut off", "is no chapter"])
  func whatIsNoAnswerIsAFailure(fault: String) async throws {
    let answers = [
      "hangs up": HTTPResponse.hangUp,
      "is cut off": HTTPResponse(body: Data(count: 100), cutAfter: 3),
      "is no chapter": HTTPResponse.text("a page of somebody else's"),
    ]
    guide.server.fail(0, with: try #require(answers[fault]))
    guide.open()
    try await guide.settle()
    #expect(guide.window.renderedText().contains("No chapter"))
  }

  @Test func aChapterThatIsFarIsNotLoadedToItsEnd() async throws {
    let gate = guide.server.hold(0)
    guide.open()
    guide.browser.show(page: 3)
    try await guide.settle()
    #expect(guide.loader.underWay == 0)
    gate.open()
    #expect(guide.window.renderedText().contains("This is part 3."))
  }

  @Test func theIndexIsTheLastPageAndItsWordsOpenInIt() async throws {
    guide.open()
    guide.browser.show(page: 4)
    try await guide.settle()
    let table = try #require(guide.window.shownViews.lazy.compactMap { $0 as? TableView }.first)
    table.selectRow(at: IndexPath(row: 1))
    #expect(guide.window.renderedText().contains("“queue” is explained"))
    #expect(guide.window.button("‹") != nil)
  }
}
