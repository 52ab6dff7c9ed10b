import Foundation
import Synchronization

/// A real HTTP server on loopback, on a port of the system's choice, until it is let go.
///
/// Each connection has a thread of its own and is answered once, so that a handler may take its time:
/// a ``Gate`` in it decides when, or whether, an answer comes.
public final class LoopbackServer: Sendable {
  /// Says what a request is answered with; called on the connection's own thread.
  public typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  /// Where it listens.
  public let url: URL
  private let listener: Listener

  /// Listens on a free port.
  public init(_ handler: @escaping Handler) throws {
    let (socket, port) = try Socket.listen()
    let listener = Listener(socket)
    self.listener = listener
    url = URL(string: "http://127.0.0.1:\(port)/")!
    Thread.detachNewThread { LoopbackServer.serve(listener, handler) }
  }

  deinit { stop() }

  /// What was asked so far, in the order of arrival.
  public var requests: [HTTPRequest] { listener.requests.withLock { $0 } }

  /// Refuses every further connection, as a server does that is down; connections it has go on.
  public func stop() { Socket.shutDown(listener.socket) }

  private static func serve(_ listener: Listener, _ handler: @escaping Handler) {
    while let connection = Socket.accept(at: listener.socket) {
      Thread.detachNewThread {
        defer { Socket.close(connection) }
        guard let request = HTTPRequest(readFrom: connection) else { return }
        listener.requests.withLock { $0.append(request) }
        handler(request).send(to: connection, onlyHead: request.method == "HEAD")
      }
    }
  }
}

/// What the server shares with its threads, which outlive it: the descriptor goes with the last one.
private final class Listener: Sendable {
  let socket: Int32
  let requests = Mutex<[HTTPRequest]>([])

  init(_ socket: Int32) { self.socket = socket }

  deinit { Socket.close(socket) }
}
