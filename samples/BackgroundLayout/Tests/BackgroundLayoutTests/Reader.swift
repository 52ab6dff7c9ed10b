import BackgroundLayout
import Foundation
import HeadlessUI
import ThreadAffinity

/// The whole app, against a server of its own.
@MainActor
final class Reader {
  let application = Application()
  let server: ArticleServer
  let window = Window(size: Size(width: 36, height: 8), title: "Reader")
  let feed: FeedController
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("reader-\(UUID().uuidString).json")

  init(_ remedy: Remedy, store: (any PositionSaving)? = nil) throws {
    server = try ArticleServer([
      Article(id: 1, title: "First", text: "One line.\n\nTwo.\n\n\nThree.\n\n\n\nFour."),
      Article(id: 2, title: "Second", text: "Short."),
    ])
    feed = FeedController(
      application: application, server: server.url, store: store ?? PositionStore(file: file),
      remedy: remedy)
    window.rootViewController = NavigationController(root: feed)
    application.window = window
    application.launch()
  }

  deinit { try? FileManager.default.removeItem(at: file) }

  /// Lets the main queue run until something holds; gives up after ten seconds.
  func wait(until holds: @MainActor () -> Bool) async throws {
    for _ in 0..<2000 where !holds() { try await Task.sleep(for: .milliseconds(5)) }
    if !holds() { throw Timeout(shown: window.renderedText()) }
  }

  struct Timeout: Error {
    let shown: String
  }

  /// Has the first articles on the screen, is in the background, and waits for more.
  func goToBackgroundWhileDownloading() async throws {
    feed.refresh()
    try await wait { window.renderedText().contains("2 articles") }
    server.hold()
    server.publish([Article(id: 3, title: "Late", text: "")])
    feed.refresh()
    application.enterBackground()
  }
}
