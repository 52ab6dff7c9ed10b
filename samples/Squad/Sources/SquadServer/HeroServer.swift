import Foundation
import LoopbackHTTP
import Synchronization

/// A server on loopback that speaks as much of the heroes' API as the app asks for, and can be made to
/// misbehave.
package final class HeroServer: Sendable {
  private struct Trouble {
    let path: String
    let answer: HTTPResponse
    var timesLeft: Int
  }

  /// What is shared with the threads that answer.
  private final class Moods: Sendable {
    let gates = Mutex<[String: Gate]>([:])
    let troubles = Mutex<[Trouble]>([])
  }

  private let server: LoopbackServer
  private let moods: Moods

  /// Begins to listen.
  ///
  /// - Parameter count: How many heroes there are.
  package init(heroes count: Int = 45) throws {
    let moods = Moods()
    self.moods = moods
    server = try LoopbackServer { request in
      let gate = moods.gates.withLock { $0[request.path] }
      gate?.pass()
      return Self.trouble(with: request, in: moods) ?? Catalogue(count: count).answer(request)
    }
  }

  deinit { moods.gates.withLock { $0 }.values.forEach { $0.open() } }

  /// Where the API begins.
  package var url: URL { server.url }

  /// All that was asked for so far.
  package var requests: [HTTPRequest] { server.requests }

  /// Keeps back what is asked for at a path, until the gate is opened.
  package func hold(_ path: String) -> Gate {
    let gate = Gate()
    moods.gates.withLock { $0[path] = gate }
    return gate
  }

  /// Answers wrongly where the path begins so, some times or for good.
  package func answer(_ path: String, with answer: HTTPResponse, times: Int = .max) {
    moods.troubles.withLock { $0.append(Trouble(path: path, answer: answer, timesLeft: times)) }
  }

  /// Answers rightly from now on.
  package func recover() { moods.troubles.withLock { $0 = [] } }

  /// Refuses connections from now on.
  package func stop() { server.stop() }

  private static func trouble(
    with request: HTTPRequest, in moods: Moods
  ) -> HTTPResponse? {
    moods.troubles.withLock { troubles in
      let found = troubles.firstIndex { trouble in
        request.path.hasPrefix(trouble.path) && trouble.timesLeft > 0
      }
      guard let found else { return nil }
      if troubles[found].timesLeft != .max { troubles[found].timesLeft -= 1 }
      return troubles[found].answer
    }
  }
}
