public import Foundation
public import LoopbackHTTP

/// A real server on loopback with a list of sites, their icons and their pages.
///
/// What it answers can be changed while it runs, as happens to servers.
public final class SiteServer: Sendable {
  private let behaviour: Behaviour
  private let server: LoopbackServer

  /// Begins to listen, on a port of the system's choice.
  public init() throws {
    let behaviour = Behaviour()
    self.behaviour = behaviour
    server = try LoopbackServer { request in behaviour.answer(to: request) }
    behaviour.base = server.url
  }

  /// Where the list is.
  public var endpoint: URL { address(of: "sites.json") }

  /// Where something of this server's is.
  public func address(of path: String) -> URL { server.url.appendingPathComponent(path) }

  /// What was asked for so far, by path.
  public var paths: [String] { server.requests.map(\.path) }

  /// Answers a path in this way from now on; nil is its own way again.
  public func answer(_ path: String, with answer: HTTPResponse?) {
    behaviour.answers.withLock { $0[path] = answer }
  }

  /// Holds every answer for a path back until the gate is opened.
  public func hold(_ path: String) -> Gate {
    let gate = Gate()
    behaviour.gates.withLock { $0[path] = gate }
    return gate
  }

  /// Adds a site to the list, as happens between two looks at it.
  public func add(_ entry: Catalogue.Entry) {
    behaviour.entries.withLock { $0.append(entry) }
  }

  /// Refuses every further connection, as a server does that is down.
  public func stop() { server.stop() }
}
