import Foundation
import HeadlessUI

@testable import Browser

/// The whole guide, on a server of its own.
@MainActor
final class Guide {
  let server: ChapterServer
  let loader: ChapterLoader
  let browser: BrowserController
  let window = Window(size: Size(width: 30, height: 9), title: "Guide")
  private let source: GuideSource

  init(_ care: ChapterCare, chapters: Int = 4) throws {
    server = try ChapterServer(
      (0..<chapters).map { Chapter(title: "Part \($0)", paragraphs: ["This is part \($0)."]) })
    loader = ChapterLoader(server: server.url)
    source = GuideSource(
      chapters: chapters, words: ["hop", "queue"], loader: loader, care: care)
    browser = BrowserController(source)
  }

  func open() { window.rootViewController = browser }

  /// Drags more than half a page to the left.
  func turnPage() { (browser.view as? ScrollView)?.drag(by: Point(x: 20)) }

  /// Waits for everything that is being loaded, and lets the main queue have it.
  func settle() async throws {
    try await wait { self.loader.underWay == 0 }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  /// Lets the main queue run until something holds; gives up after ten seconds.
  func wait(until holds: @MainActor () -> Bool) async throws {
    for _ in 0..<5000 where !holds() { try await Task.sleep(for: .milliseconds(2)) }
    if !holds() { throw Timeout(shown: window.renderedText()) }
  }

  struct Timeout: Error {
    let shown: String
  }
}
