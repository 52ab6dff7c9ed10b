public import Foundation
public import FoundationNetworking
import SampleSupport
import Synchronization

/// Hears of downloads. It is called on the session's own queue, as URLSession calls everybody.
public protocol ArticleDownloadDelegate: AnyObject, Sendable {
  /// The articles of a download are there.
  func articleDownload(_ download: ArticleDownload, didFinishWith articles: [Article])

  /// A download has ended without articles.
  func articleDownload(_ download: ArticleDownload, didFailWith reason: String)
}

/// Downloads articles by HTTP, into a file, and goes on in the background.
public final class ArticleDownload: NSObject, URLSessionDownloadDelegate, Sendable {
  private struct State {
    weak var delegate: (any ArticleDownloadDelegate)?
    /// Made with the first download: its delegate, which it holds, is this object.
    var session: URLSession?
  }

  private let url: URL
  private let state: Mutex<State>

  /// Downloads from a server, and calls the delegate, which is held weakly.
  public init(from server: URL, delegate: any ArticleDownloadDelegate) {
    url = server.appendingPathComponent("articles")
    state = Mutex(State(delegate: delegate))
  }

  /// Begins to download the articles after one.
  public func start(after article: Int) {
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.queryItems = [URLQueryItem(name: "after", value: "\(article)")]
    session().downloadTask(with: components?.url ?? url).resume()
  }

  /// Lets go of the session, which holds its delegate until then; what is under way goes on.
  func end() { state.withLock { $0.session }?.finishTasksAndInvalidate() }

  private func session() -> URLSession {
    state.withLock { state in
      let session =
        state.session
        ?? URLSession(configuration: .withoutCache, delegate: self, delegateQueue: nil)
      state.session = session
      return session
    }
  }

  private var delegate: (any ArticleDownloadDelegate)? { state.withLock { $0.delegate } }

  // MARK: - The session's callbacks

  /// Reads the file, before the session removes it.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let outcome = HTTPOutcome(try? Data(contentsOf: location), downloadTask.response, nil)
    switch outcome.decoded([Article].self) {
    case .success(let articles): delegate?.articleDownload(self, didFinishWith: articles)
    case .failure(let failure):
      delegate?.articleDownload(self, didFailWith: failure.description)
    }
  }

  /// Says that the server could not be reached; that all went well was said before.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let error else { return }
    delegate?.articleDownload(self, didFailWith: error.localizedDescription)
  }
}
