import Browser
import Foundation
import HeadlessUI
import LoopbackHTTP
import SampleStage

/// A reader who scrolls, turns pages and the screen, and looks a word up.
@MainActor
final class Story {
  private static let upright = Size(width: 32, height: 13)
  private static let landscape = Size(width: 50, height: 9)

  private let stage: Stage
  private let server: ChapterServer
  private let loader: ChapterLoader
  private let source: GuideSource
  private let browser: BrowserController
  private let window = Window(size: Story.upright, title: "Guide")

  init(_ stage: Stage) throws {
    self.stage = stage
    server = try ChapterServer(Self.chapters)
    loader = ChapterLoader(server: server.url)
    source = GuideSource(
      chapters: Self.chapters.count, words: (1...1000).map { "Word \($0)" }, loader: loader,
      care: stage.options.bug ? .none : .hop)
    browser = BrowserController(source)
  }

  func play() async throws {
    let late = server.hold(1)
    window.screenEdges = Insets(top: 1, bottom: 1)
    window.rootViewController = browser
    stage.application.window = window
    stage.application.launch()
    show("The guide opens; the next chapter is loaded already, and takes its time.")
    late.open()
    try await chaptersAreHere()
    show("The first chapter is here.")
    (browser.currentController?.view as? ScrollView)?.drag(by: Point(y: 3))
    show("It is longer than the screen, and scrolls.")

    turnPage()
    try await chaptersAreHere()
    show("Dragged by half a page, the next one is shown, and the third is loaded.")

    window.turn(to: Self.landscape, screenEdges: Insets(left: 4, bottom: 1, right: 4))
    show("Turned on its side, the same page is shown, clear of the notch.")
    turnPage()
    try await chaptersAreHere()
    show("Pages come to rest between the edges, there too.")

    turnPage()
    window.turn(to: Self.upright, screenEdges: Insets(top: 1, bottom: 1))
    show("The last page is a navigation controller with a very long index.")
    index?.selectRow(at: IndexPath(row: 2))
    show("A word was tapped.")
  }

  /// Drags a little more than half a page, and lets go.
  private func turnPage() {
    (browser.view as? ScrollView)?.drag(by: Point(x: window.frame.width / 2))
  }

  private var index: TableView? {
    window.shownViews.lazy.compactMap { $0 as? TableView }.first
  }

  private func chaptersAreHere() async throws {
    try await stage.wait { self.loader.underWay == 0 }
    // The last of them may have been handed to the main queue just now.
    await stage.nextTurn()
  }

  private func show(_ caption: String) {
    stage.show("\(caption) Pages with a controller: \(browser.preparedPages).", window)
  }

  private static let chapters = [
    Chapter(
      title: "Queues",
      paragraphs: [
        "Work that must not overlap goes to a serial queue.",
        "The main queue is one of them, and the screen belongs to it.",
        "All other queues keep their hands off it, and send what they have.",
        "That takes its time, and loses nothing.",
      ]),
    Chapter(
      title: "Callbacks",
      paragraphs: ["They come where the library likes, which is rarely where the screen is."]),
    Chapter(
      title: "Hops",
      paragraphs: ["A hop brings a callback to the main queue, to a target that it holds weakly."]),
  ]
}
