import Foundation
import FoundationNetworking
import SampleSupport
import Synchronization

/// Loads chapters by HTTP, and answers on its session's queue.
package final class ChapterLoader: ChapterLoading {
  private let server: URL
  private let session = URLSession.withoutCache(queue: "chapters.network")
  private let running = Atomic(0)

  package init(server: URL) { self.server = server }

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
      answer(
        HTTPOutcome(data, response, error).decoded().mapError { ChapterError($0.description) })
      running.subtract(1, ordering: .releasing)
    }
    task.resume()
    return ChapterLoad { [self] in
      guard end.take() else { return }
      task.cancel()
      running.subtract(1, ordering: .releasing)
    }
  }
}
