import Foundation
import LoopbackHTTP
import StatusModel
import Synchronization

/// A server of one user's profile on loopback, which can be made to fail, and to take its time.
package final class StatusServer: Sendable {
  /// What the connections share.
  private final class Desk: Sendable {
    struct State {
      var profile: KYSProfile
      var failures: [HTTPResponse] = []
      var gate: Gate?
    }

    let state: Mutex<State>

    init(_ profile: KYSProfile) { state = Mutex(State(profile: profile)) }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
      guard request.path == "/status" else { return .notFound }
      let (gate, failure) = state.withLock { state in
        (state.gate, state.failures.isEmpty ? nil : state.failures.removeFirst())
      }
      gate?.pass()
      if let failure { return failure }
      guard request.method == "PUT" else { return .json(state.withLock { $0.profile }) }
      guard let profile = try? JSONDecoder().decode(KYSProfile.self, from: request.body) else {
        return .status(400)
      }
      state.withLock { $0.profile = profile }
      return .json(profile)
    }
  }

  private let desk: Desk
  private let server: LoopbackServer

  /// A server that has that profile.
  package init(_ profile: KYSProfile) throws {
    let desk = Desk(profile)
    self.desk = desk
    server = try LoopbackServer { desk.answer($0) }
  }

  /// Where it can be reached.
  package var url: URL { server.url }

  /// What it has saved by now.
  package var profile: KYSProfile { desk.state.withLock { $0.profile } }

  /// What it was asked, as `GET` and `PUT`.
  package var requests: [String] { server.requests.map(\.method) }

  /// Answers the next request in that way.
  package func failNext(with answer: HTTPResponse = .status(500)) {
    desk.state.withLock { $0.failures.append(answer) }
  }

  /// Keeps whoever asks from now on waiting, until the gate is opened.
  package func hold() -> Gate {
    let gate = Gate()
    desk.state.withLock { $0.gate = gate }
    return gate
  }
}
