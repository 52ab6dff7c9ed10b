import Foundation
import FoundationNetworking
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
        self.finish(attempt, Self.outcome(data, response, error))
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

  /// Makes one outcome of the three values that the session gives, in all their combinations.
  static func outcome(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<Data, RemoteError> {
    if let error { return .failure(.unreachable((error as? URLError)?.code ?? .unknown)) }
    guard let response = response as? HTTPURLResponse else {
      return .failure(.malformed("the answer is not of HTTP"))
    }
    guard (200...299).contains(response.statusCode) else {
      let wait = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
      return .failure(
        .status(response.statusCode, retryAfter: wait.map { .seconds(max(0, $0)) }))
    }
    return .success(data ?? Data())
  }
}
