import Foundation
import FoundationNetworking
import SampleSupport
import Synchronization

/// Fetches and decodes pictures, and remembers the last ones.
package final class ImageLoader: Sendable {
  /// What an outcome is handed to, on the session's queue.
  package typealias Answer = @Sendable (Result<Picture, ImageError>) -> Void

  private let session: URLSession
  private let cache = Mutex(RecentValues<URL, Picture>(capacity: 64))
  private let requests = Mutex<[URL: Int]>([:])

  package init(_ session: URLSession) { self.session = session }

  /// The addresses of the pictures under way: asked for, and neither handed over nor cancelled.
  package var underWay: [URL] {
    requests.withLock { $0 }.flatMap { Array(repeating: $0.key, count: $0.value) }
  }

  /// The picture of an address, if it is remembered.
  package func remembered(_ url: URL) -> Picture? { cache.withLock { $0[url] } }

  /// Fetches a picture.
  ///
  /// - Parameter answer: Called on the session's queue, once; not at all where `cancel()` came first.
  package func load(_ url: URL, answer: @escaping Answer) -> any Cancellable {
    requests.withLock { $0[url, default: 0] += 1 }
    let isOver = Once()
    let task = session.dataTask(with: url) { data, response, error in
      guard isOver.take() else { return }
      answer(self.outcome(of: url, HTTPOutcome(data, response, error)))
      self.end(of: url)
    }
    task.resume()
    return ImageRequest {
      guard isOver.take() else { return }
      task.cancel()
      self.end(of: url)
    }
  }

  private func end(of url: URL) { requests.withLock { $0[url, default: 1] -= 1 } }

  private func outcome(
    of url: URL, _ loaded: HTTPOutcome
  ) -> Result<Picture, ImageError> {
    loaded.mapError { .remote(RemoteError($0)) }.flatMap { data in
      guard let picture = Picture(pgm: data) else { return .failure(.noPicture) }
      cache.withLock { $0[url] = picture }
      return .success(picture)
    }
  }
}

/// A picture under way.
private struct ImageRequest: Cancellable {
  let end: @Sendable () -> Void

  func cancel() { end() }
}
