import AffinityTesting
import HeadlessUI
import Testing

@testable import Browser

/// The screen is turned on its side, where its edges take some of it.
@MainActor
@Suite(.affinityChecked) struct TurningTests {
  private static let landscape = Size(width: 50, height: 7)
  private static let notch = Insets(left: 5, bottom: 1, right: 3)

  private let pages: TestPages

  init() {
    pages = TestPages(4, edges: Insets(top: 2, bottom: 1))
    pages.open()
  }

  @Test func theSamePageIsSeen() {
    pages.browser.show(page: 2)
    _ = pages.diary.read()
    pages.window.turn(to: Self.landscape, screenEdges: Self.notch)
    #expect(pages.browser.page == 2)
    #expect(pages.diary.read() == [])
    #expect(pages.window.renderedText().contains("│     page 2 "))
    pages.window.turn(to: Size(width: 32, height: 10), screenEdges: Insets(top: 2, bottom: 1))
    #expect(pages.browser.page == 2)
    #expect(pages.window.renderedText().contains("│page 2 "))
    #expect(pages.diary.read() == [])
  }

  @Test func everyPageComesToRestBetweenTheEdges() {
    pages.window.turn(to: Self.landscape, screenEdges: Self.notch)
    for page in 0..<4 {
      #expect(pages.browser.page == page)
      pages.window.layoutIfNeeded()
      let frame = pages.browser.currentController?.view.frameInWindow
      #expect(frame?.minX == 1 + 5)
      #expect(frame?.maxX == 49 - 3)
      pages.turnPage()
    }
  }

  /// What the document's own code did, and why it did not do in landscape.
  @Test func aScrollViewsOwnPagingWouldMissThePages() {
    pages.window.turn(to: Self.landscape, screenEdges: Self.notch)
    pages.scroll.scrollDelegate = nil
    pages.scroll.isPagingEnabled = true
    pages.scroll.drag(by: Point(x: 40))
    pages.scroll.drag(by: Point(x: 40))
    let rest = PageLayout(viewport: pages.scroll.frame.size, insets: Self.notch, pages: 4)
    #expect(pages.scroll.contentOffset != rest.offset(ofPage: 2))
  }

  @Test func neighboursAreNotSeenBesideThePage() {
    pages.window.turn(to: Self.landscape, screenEdges: Self.notch)
    pages.turnPage()
    let text = pages.window.renderedText()
    #expect(text.contains("page 1"))
    #expect(!text.contains("page 0"))
    #expect(!text.contains("page 2"))
  }

  @Test func aPageThatDoesNotScrollIsClearOfEveryEdge() {
    #expect(pages.browser.currentController?.view.frameInWindow.minY == 1 + 2)
    #expect(pages.browser.currentController?.view.frameInWindow.maxY == 9 - 1)
  }
}
