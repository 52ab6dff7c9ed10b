import Foundation
import FoundationNetworking
import SampleSupport
import Synchronization

/// One request, with all its attempts.
final class RemoteCall: Cancellable {
  typealias Answer = @Sendable (Result<Data, RemoteError>) -> Void

  private enum Phase {
    case waiting
    case asking(URLSessionDataTask)
    case over
  }

  private let request: URLRequest
  private let session: URLSession
  private let retry: RetryPolicy
  private let scheduler: Scheduler
  private let answer: Answer
  private let phase = Mutex(Phase.waiting)

  init(
    _ request: URLRequest, _ session: URLSession, _ retry: RetryPolicy, _ scheduler: Scheduler,
    answer: @escaping Answer
  ) {
    self.request = request
    self.session = session
    self.retry = retry
    self.scheduler = scheduler
    self.answer = answer
  }

  func start() { ask(attempt: 1) }

  func cancel() {
    let phase = phase.withLock { phase in
      defer { phase = .over }
      return phase
    }
    if case .asking(let task) = phase { task.cancel() }
  }

  private func ask(attempt: Int) {
    phase.withLock { phase in
      guard case .waiting = phase else { return }
      let task = session.dataTask(with: request) { data, response, error in
        self.finish(attempt, HTTPOutcome(data, response, error).mapError { RemoteError($0) })
      }
      phase = .asking(task)
      task.resume()
    }
  }

  private func finish(_ attempt: Int, _ outcome: Result<Data, RemoteError>) {
    var delay: Duration?
    if case .failure(let error) = outcome { delay = retry.delay(after: attempt, error) }
    let isWanted = phase.withLock { phase in
      guard case .asking = phase else { return false }
      phase = delay == nil ? .over : .waiting
      return true
    }
    guard isWanted else { return }
    if let delay {
      scheduler.after(delay) { self.ask(attempt: attempt + 1) }
    } else {
      answer(outcome)
    }
  }
}
