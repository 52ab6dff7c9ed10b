import Foundation
import FoundationNetworking
import Synchronization

/// Fetches and decodes pictures, and remembers the last ones.
package final class ImageLoader: Sendable {
  /// What an outcome is handed to, on the session's queue.
  package typealias Answer = @Sendable (Result<Picture, ImageError>) -> Void

  private let session: URLSession
  private let cache = Mutex(ImageCache())

  package init(_ session: URLSession) { self.session = session }

  /// The picture of an address, if it is remembered.
  package func remembered(_ url: URL) -> Picture? { cache.withLock { $0[url] } }

  /// Fetches a picture.
  ///
  /// - Parameter answer: Called on the session's queue, once; not at all where `cancel()` came first.
  package func load(_ url: URL, answer: @escaping Answer) -> any Cancellable {
    let flag = CancelFlag()
    let task = session.dataTask(with: url) { data, response, error in
      if flag.isCancelled { return }
      answer(self.outcome(of: url, RemoteCall.outcome(data, response, error)))
    }
    task.resume()
    return ImageRequest(task, flag)
  }

  private func outcome(
    of url: URL, _ loaded: Result<Data, RemoteError>
  ) -> Result<Picture, ImageError> {
    loaded.mapError { .remote($0) }.flatMap { data in
      guard let picture = Picture(pgm: data) else { return .failure(.noPicture) }
      cache.withLock { $0[url] = picture }
      return .success(picture)
    }
  }
}

/// A picture under way.
private final class ImageRequest: Cancellable {
  private let task: URLSessionDataTask
  private let flag: CancelFlag

  init(_ task: URLSessionDataTask, _ flag: CancelFlag) {
    self.task = task
    self.flag = flag
  }

  func cancel() {
    flag.cancel()
    task.cancel()
  }
}
