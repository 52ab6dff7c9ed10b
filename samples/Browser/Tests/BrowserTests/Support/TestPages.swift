import HeadlessUI

@testable import Browser

/// Pages that write down what happens to them, and who may ask for what they are made of.
@MainActor
final class TestPages {
  /// What has happened, in order. `@unchecked Sendable`: all tests that write in it run on the main actor.
  final class Diary: @unchecked Sendable {
    var entries: [String] = []

    /// Takes out what has been written since the last time.
    func read() -> [String] {
      defer { entries = [] }
      return entries
    }
  }

  let diary = Diary()
  let source: Source
  let browser: BrowserController
  let window: Window

  init(_ pages: Int, size: Size = Size(width: 32, height: 10), edges: Insets = .zero) {
    source = Source(pages, diary)
    browser = BrowserController(source)
    window = Window(size: size, title: "Test")
    window.screenEdges = edges
  }

  func open() {
    window.rootViewController = browser
    window.layoutIfNeeded()
  }

  var scroll: ScrollView { browser.view as! ScrollView }

  /// Drags more than half a page to the left, as one does to see the next one.
  func turnPage(back: Bool = false) {
    scroll.drag(by: Point(x: (back ? -1 : 1) * (window.frame.width / 2 + 2)))
  }

  /// Makes a labelled page for each number, or what a test puts there instead.
  final class Source: BrowserDataSource {
    var pages: Int
    var special: [Int: () -> ViewController] = [:]
    private let diary: Diary

    init(_ pages: Int, _ diary: Diary) {
      self.pages = pages
      self.diary = diary
    }

    func numberOfPages(in browser: BrowserController) -> Int { pages }

    func browser(
      _ browser: BrowserController, controllerForPage page: Int
    ) -> ViewController {
      diary.entries.append("make \(page)")
      return special[page]?() ?? TestPage("\(page)", diary)
    }
  }
}

/// A page that says what happens to it.
final class TestPage: ViewController, @unchecked Sendable {
  private let name: String
  private let diary: TestPages.Diary

  init(_ name: String, _ diary: TestPages.Diary) {
    self.name = name
    self.diary = diary
    super.init()
    title = name
  }

  deinit { diary.entries.append("let go \(name)") }

  override func makeView() -> View { Label("page \(name)") }
  override func viewDidLoad() { diary.entries.append("load \(name)") }
  override func viewWillAppear() { diary.entries.append("will appear \(name)") }
  override func viewDidAppear() { diary.entries.append("did appear \(name)") }
  override func viewWillDisappear() { diary.entries.append("will disappear \(name)") }
  override func viewDidDisappear() { diary.entries.append("did disappear \(name)") }
}
