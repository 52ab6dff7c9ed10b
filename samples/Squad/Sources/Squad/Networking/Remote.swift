import Foundation
import FoundationNetworking

/// Asks a server for a value, and asks again where that may help.
package struct Remote: Sendable {
  private let session: URLSession
  private let retry: RetryPolicy
  private let scheduler: Scheduler

  package init(
    _ session: URLSession, retry: RetryPolicy = .standard, scheduler: Scheduler = .dispatch
  ) {
    self.session = session
    self.retry = retry
    self.scheduler = scheduler
  }

  /// Loads and decodes a value.
  ///
  /// - Parameter answer: Called on the session's queue, once; not at all where `cancel()` came first.
  package func load<Value: Decodable & Sendable>(
    _ request: URLRequest, _ type: Value.Type = Value.self,
    answer: @escaping @Sendable (Result<Value, RemoteError>) -> Void
  ) -> any Cancellable {
    let call = RemoteCall(request, session, retry, scheduler) { outcome in
      answer(outcome.flatMap { Self.decode(type, $0) })
    }
    call.start()
    return call
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ data: Data
  ) -> Result<Value, RemoteError> {
    do {
      return .success(try JSONDecoder().decode(type, from: data))
    } catch {
      return .failure(.malformed("\(error)"))
    }
  }
}
