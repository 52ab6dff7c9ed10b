public import Foundation
import LoopbackHTTP
import Synchronization

/// A server of articles on loopback, which can be made to keep its clients waiting.
public final class ArticleServer: Sendable {
  /// What the connections share.
  private final class Shelf: Sendable {
    private struct State {
      var articles: [Article]
      var isHeld = false
    }

    private let state: Mutex<State>
    private let changed = NSCondition()

    init(_ articles: [Article]) { state = Mutex(State(articles: articles)) }

    func publish(_ articles: [Article]) { state.withLock { $0.articles += articles } }

    func setHeld(_ isHeld: Bool) {
      changed.lock()
      state.withLock { $0.isHeld = isHeld }
      changed.broadcast()
      changed.unlock()
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
      guard request.path == "/articles" else { return .status(404) }
      changed.lock()
      while state.withLock({ $0.isHeld }) { changed.wait() }
      changed.unlock()
      let newest = request.query["after"].flatMap { Int($0) } ?? 0
      return .json(state.withLock { $0.articles.filter { $0.id > newest } })
    }
  }

  private let shelf: Shelf
  private let server: LoopbackServer

  /// A server that has these articles.
  public init(_ articles: [Article]) throws {
    let shelf = Shelf(articles)
    self.shelf = shelf
    server = try LoopbackServer { shelf.answer($0) }
  }

  /// Where it can be reached.
  public var url: URL { server.url }

  /// Adds articles.
  public func publish(_ articles: [Article]) { shelf.publish(articles) }

  /// Keeps its clients waiting, until `release()`.
  public func hold() { shelf.setHeld(true) }

  /// Answers those that wait.
  public func release() { shelf.setHeld(false) }
}
