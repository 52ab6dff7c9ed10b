public import Foundation
import Synchronization

/// A real HTTP server on loopback, for samples and tests: one thread and one answer a connection.
///
/// It goes on until it is let go or stopped.
public final class LoopbackServer: Sendable {
  /// Says what is answered. It runs on the connection's own thread, and may take its time.
  public typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  /// Where it can be reached.
  public let url: URL
  private let listener: Int32
  private let isStopped = Atomic(false)

  /// Listens on a free port.
  public init(_ handler: @escaping Handler) throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 128) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    guard socket >= 0, isListening, let url = URL(string: "http://127.0.0.1:\(port)/") else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    listener = socket
    self.url = url
    Thread.detachNewThread { Self.accept(at: socket, handler) }
  }

  deinit { stop() }

  /// Accepts no more connections: whoever asks is refused from now on.
  public func stop() {
    if !isStopped.exchange(true, ordering: .relaxed) { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private static func accept(at listener: Int32, _ handler: @escaping Handler) {
    defer { close(listener) }
    while true {
      let connection = Foundation.accept(listener, nil, nil)
      if connection < 0 && errno == EINTR { continue }
      if connection < 0 { return }
      Thread.detachNewThread { serve(connection, handler) }
    }
  }

  private static func serve(_ socket: Int32, _ handler: Handler) {
    defer { close(socket) }
    let connection = Connection(socket: socket)
    guard let request = connection.receive() else { return }
    let response = handler(request)
    connection.send(Data(response.head.utf8))
    if request.method != "HEAD" { connection.send(response.body) }
  }
}
