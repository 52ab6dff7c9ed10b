import AffinityTesting
import HeadlessUI
import Testing

@testable import Browser

@MainActor
@Suite(.affinityChecked) struct BrowserControllerTests {
  @Test func itMakesThePageThatIsSeenAndItsNeighbour() {
    let pages = TestPages(5)
    #expect(pages.diary.read() == [])
    pages.open()
    #expect(
      pages.diary.read() == [
        "make 0", "load 0", "make 1", "load 1", "will appear 0", "did appear 0",
      ])
    #expect(pages.window.renderedText().contains("│page 0 "))
  }

  @Test func turningAPageHidesOneShowsTheNextAndPreparesAnother() {
    let pages = TestPages(5)
    pages.open()
    _ = pages.diary.read()
    pages.turnPage()
    #expect(
      pages.diary.read() == [
        "make 2", "load 2", "will disappear 0", "did disappear 0", "will appear 1", "did appear 1",
      ])
    #expect(pages.browser.page == 1)
    #expect(pages.window.renderedText().contains("│page 1 "))
  }

  @Test func whatIsFarIsLetGo() {
    let pages = TestPages(5)
    pages.open()
    let first = pages.browser.currentController
    weak let watched = first
    pages.turnPage()
    _ = pages.diary.read()
    pages.turnPage()
    #expect(pages.browser.preparedPages == [1, 2, 3])
    #expect(first?.parent == nil)
    #expect(first?.view.superview == nil)
    withExtendedLifetime(first) { #expect(watched != nil) }
    #expect(!pages.diary.read().contains("let go 0"))
  }

  @Test func nobodyHoldsWhatWasLetGo() {
    let pages = TestPages(5)
    pages.open()
    pages.turnPage()
    _ = pages.diary.read()
    pages.turnPage()
    #expect(pages.diary.read().contains("let go 0"))
  }

  @Test func aDragThatSpringsBackTellsNobody() {
    let pages = TestPages(5)
    pages.open()
    _ = pages.diary.read()
    pages.scroll.drag(by: Point(x: 8))
    pages.scroll.drag(by: Point(x: -30))
    #expect(pages.diary.read() == [])
    #expect(pages.scroll.contentOffset == .zero)
  }

  @Test func oneDragTurnsOnePage() {
    let pages = TestPages(5)
    pages.open()
    pages.scroll.drag(by: Point(x: 500))
    #expect(pages.browser.page == 1)
    for _ in 0..<9 { pages.turnPage() }
    #expect(pages.browser.page == 4)
    pages.turnPage(back: true)
    #expect(pages.browser.page == 3)
  }

  @Test func aFarPageIsShownWithoutThoseBetween() {
    let pages = TestPages(9)
    pages.open()
    _ = pages.diary.read()
    var told: [Int] = []
    pages.browser.onPage = { told.append($0) }
    pages.browser.show(page: 7)
    let diary = pages.diary.read()
    #expect(!diary.contains("make 4"))
    #expect(Array(diary.suffix(2)) == ["let go 0", "let go 1"] || diary.contains("let go 1"))
    #expect(pages.browser.preparedPages == [6, 7, 8])
    #expect(told == [7])
    #expect(pages.window.renderedText().contains("│page 7 "))
    pages.browser.show(page: 100)
    #expect(pages.browser.page == 8)
  }

  @Test func hidingTheBrowserHidesThePageThatIsSeenAndNoOther() {
    let pages = TestPages(5)
    let navigation = NavigationController(root: pages.browser)
    pages.window.rootViewController = navigation
    _ = pages.diary.read()
    navigation.pushViewController(ViewController())
    #expect(pages.diary.read() == ["will disappear 0", "did disappear 0"])
    pages.browser.show(page: 1)
    #expect(!pages.diary.read().contains("will appear 1"))
    navigation.popViewController()
    #expect(pages.diary.read() == ["will appear 1", "did appear 1"])
  }

  @Test func itsControllersAreItsChildrenAndOnlyOneIsVisible() {
    let pages = TestPages(5)
    pages.open()
    pages.turnPage()
    #expect(pages.browser.children.count == 3)
    #expect(pages.browser.children.allSatisfy { $0.parent === pages.browser })
    #expect(pages.browser.children.filter(\.isVisible).map(\.title) == ["1"])
  }

  @Test func reloadingKeepsThePageAsFarAsThereIsOne() {
    let pages = TestPages(5)
    pages.open()
    pages.browser.show(page: 3)
    pages.browser.reloadData()
    #expect(pages.browser.page == 3)
    #expect(pages.browser.currentController?.isVisible == true)
    pages.source.pages = 2
    pages.browser.reloadData()
    #expect(pages.browser.page == 1)
    #expect(pages.window.renderedText().contains("│page 1 "))
    pages.source.pages = 0
    pages.browser.reloadData()
    #expect(pages.browser.currentController == nil)
    #expect(pages.browser.children.isEmpty)
    pages.source.pages = 1
    pages.browser.reloadData()
    #expect(pages.browser.currentController?.isVisible == true)
  }

  @Test func whereMemoryIsShortOnlyWhatIsSeenStays() {
    let pages = TestPages(5)
    pages.open()
    pages.turnPage()
    pages.browser.letGoOfHidden()
    #expect(pages.browser.preparedPages == [1])
    pages.turnPage()
    #expect(pages.browser.preparedPages == [1, 2, 3])
  }

  @Test func withoutItsSourceItShowsNothing() {
    let browser = BrowserController(TestPages.Source(3, TestPages.Diary()))
    let window = Window()
    window.rootViewController = browser
    #expect(browser.currentController == nil)
  }
}
