import Foundation
import FoundationNetworking
import Synchronization

@testable import Sites

/// Keeps each request until the test answers it, from wherever the test likes to.
final class HeldTransport: Transport {
  typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  private struct State {
    var open: [(request: URLRequest, completion: Completion)] = []
    var cancelled: [URL] = []
  }

  private let state = Mutex(State())

  func load(
    _ request: URLRequest, completion: @escaping Completion
  ) -> @Sendable () -> Void {
    state.withLock { $0.open.append((request, completion)) }
    return { self.state.withLock { $0.cancelled.append(request.url!) } }
  }

  /// What was asked for, in order.
  var requests: [URLRequest] { state.withLock { $0.open.map(\.request) } }

  /// Which requests were taken back.
  var cancelled: [URL] { state.withLock { $0.cancelled } }

  /// Answers a request, again if it was answered before.
  func answer(_ index: Int = 0, _ data: Data = Data(), status: Int = 200) {
    let held = state.withLock { $0.open[index] }
    held.completion(data, Samples.response(held.request.url, status: status), nil)
  }

  /// Answers the newest request of a path, again if it was answered before; not if there is none.
  func answerNewest(_ path: String, _ data: Data = Data(), status: Int = 200) {
    let index = state.withLock { $0.open.lastIndex { $0.request.url?.path == path } }
    if let index { answer(index, data, status: status) }
  }

  /// Has the newest request of a path fail.
  func failNewest(_ path: String, _ code: URLError.Code = .cannotConnectToHost) {
    let held = state.withLock { $0.open.last { $0.request.url?.path == path } }
    held?.completion(nil, nil, URLError(code))
  }

  /// Answers every request so far with an error.
  func fail(_ code: URLError.Code = .cannotConnectToHost) {
    for held in state.withLock({ $0.open }) { held.completion(nil, nil, URLError(code)) }
  }
}
