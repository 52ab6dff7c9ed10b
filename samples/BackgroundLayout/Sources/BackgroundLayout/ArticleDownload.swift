public import Foundation
public import FoundationNetworking

/// Hears of downloads. It is called on the session's own queue, as URLSession calls everybody.
public protocol ArticleDownloadDelegate: AnyObject, Sendable {
  /// The articles of a download are there.
  func articleDownload(_ download: ArticleDownload, didFinishWith articles: [Article])

  /// A download has ended without articles.
  func articleDownload(_ download: ArticleDownload, didFailWith reason: String)
}

/// Downloads articles by HTTP, into a file, and goes on in the background.
public final class ArticleDownload: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  private let url: URL
  private weak var delegate: (any ArticleDownloadDelegate)?
  private lazy var session = URLSession(
    configuration: .ephemeral, delegate: self, delegateQueue: nil)

  /// Downloads from a server, and tells the delegate, which is held weakly.
  public init(from server: URL, delegate: any ArticleDownloadDelegate) {
    url = server.appendingPathComponent("articles")
    self.delegate = delegate
  }

  /// Begins to download the articles after one.
  public func start(after article: Int) {
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.queryItems = [URLQueryItem(name: "after", value: "\(article)")]
    session.downloadTask(with: components?.url ?? url).resume()
  }

  /// Lets go of the session, which holds its delegate until then; what is under way goes on.
  func end() { session.finishTasksAndInvalidate() }

  // MARK: - The session's callbacks

  /// Reads the file, before the session removes it.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else {
      delegate?.articleDownload(self, didFailWith: "the server answered \(status)")
      return
    }
    do {
      let articles = try JSONDecoder().decode([Article].self, from: Data(contentsOf: location))
      delegate?.articleDownload(self, didFinishWith: articles)
    } catch {
      delegate?.articleDownload(self, didFailWith: "the answer could not be read")
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
