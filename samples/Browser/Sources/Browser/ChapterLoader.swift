import Foundation
import FoundationNetworking
import Synchronization

/// Loads chapters by HTTP, and answers on its session's queue.
package final class ChapterLoader: ChapterLoading {
  private let server: URL
  private let session: URLSession
  private let running = Atomic(0)

  package init(server: URL) {
    self.server = server
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
    session.delegateQueue.name = "chapters.network"
  }

  deinit { session.finishTasksAndInvalidate() }

  /// How many chapters are being loaded.
  package var underWay: Int { running.load(ordering: .acquiring) }

  /// Loads the chapter of that number, from 0.
  package func load(_ number: Int, answer: @escaping Answer) -> ChapterLoad {
    let url = server.appendingPathComponent("chapters/\(number)")
    let end = Once()
    running.add(1, ordering: .relaxed)
    let task = session.dataTask(with: url) { [self] data, response, error in
      guard end.take() else { return }
      answer(Self.outcome(data, response, error))
      running.subtract(1, ordering: .releasing)
    }
    task.resume()
    return ChapterLoad { [self] in
      guard end.take() else { return }
      task.cancel()
      running.subtract(1, ordering: .releasing)
    }
  }

  private static func outcome(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<Chapter, ChapterError> {
    if error != nil { return .failure(ChapterError("there is no connection")) }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { return .failure(ChapterError("the server answered \(status)")) }
    do {
      return .success(try JSONDecoder().decode(Chapter.self, from: data ?? Data()))
    } catch {
      return .failure(ChapterError("the answer could not be read"))
    }
  }
}

/// Tells whoever comes first from all who come later.
private final class Once: Sendable {
  private let isTaken = Atomic(false)

  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
