import AffinityTesting
import HeadlessUI
import Testing

@testable import Browser

/// A page that is a container itself: a navigation controller.
@MainActor
@Suite(.affinityChecked) struct ContainerTests {
  private let pages: TestPages

  init() {
    pages = TestPages(6, edges: Insets(top: 2, bottom: 1))
    let diary = pages.diary
    pages.source.special[1] = { NavigationController(root: TestPage("root", diary)) }
    pages.open()
    _ = pages.diary.read()
  }

  private var navigation: NavigationController? {
    pages.browser.children.lazy.compactMap { $0 as? NavigationController }.first
  }

  @Test func itsBarIsBelowTheNotch() {
    pages.turnPage()
    let lines = pages.window.renderedText().split(separator: "\n")
    #expect(lines[3].hasPrefix("│") && lines[3].contains("root"))
    #expect(lines[4].hasPrefix("│page root"))
  }

  @Test func whatIsInItAppearsWithItAndNotBefore() {
    #expect(navigation?.isVisible == false)
    #expect(pages.diary.read() == [])
    pages.turnPage()
    #expect(pages.diary.read().contains("did appear root"))
    pages.turnPage()
    #expect(pages.diary.read().contains("did disappear root"))
  }

  @Test func whatIsPushedBesideTheScreenAppearsOnceItIsSeen() {
    navigation?.pushViewController(TestPage("deep", pages.diary))
    #expect(!pages.diary.read().contains("will appear deep"))
    pages.turnPage()
    let diary = pages.diary.read()
    #expect(diary.contains("did appear deep"))
    #expect(!diary.contains("will appear root"))
  }

  @Test func whoHasGoneIntoItFindsTheWayBackAfterFarPages() {
    pages.turnPage()
    navigation?.pushViewController(TestPage("deep", pages.diary))
    _ = pages.diary.read()
    pages.browser.show(page: 5)
    #expect(pages.browser.preparedPages == [1, 4, 5])
    #expect(pages.diary.read().contains("did disappear deep"))
    pages.browser.show(page: 1)
    #expect(pages.window.renderedText().contains("page deep"))
    pages.window.button("‹")?.tap()
    #expect(pages.window.renderedText().contains("page root"))
    let diary = pages.diary.read()
    #expect(!diary.contains("make 1"))
    #expect(diary.contains("did appear deep"))
    #expect(diary.contains("did appear root"))
  }

  @Test func atItsRootItIsLetGoLikeAnyOther() {
    pages.turnPage()
    pages.browser.show(page: 5)
    #expect(pages.browser.preparedPages == [4, 5])
    #expect(pages.diary.read().contains("let go root"))
  }

  @Test func aBrowserInABrowserTellsOnlyThePageThatIsSeen() {
    let inner = TestPages.Source(3, pages.diary)
    let outer = TestPages(2)
    outer.source.special[0] = { BrowserController(inner) }
    outer.open()
    let diary = pages.diary.read()
    #expect(diary.filter { $0.hasPrefix("did appear") } == ["did appear 0"])
    outer.turnPage()
    #expect(pages.diary.read().contains("did disappear 0"))
  }
}
