import Foundation

/// An HTTP server on loopback that answers each connection once, until it is let go.
public final class LoopbackServer: Sendable {
  /// Where it listens.
  public let url: URL
  private let listener: Int32

  /// Begins to listen.
  public init() throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 64) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    guard socket >= 0, isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    listener = socket
    url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")!
    Thread.detachNewThread { LoopbackServer.serve(socket) }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(_ listener: Int32) {
    defer { close(listener) }
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
    while true {
      let connection = accept(listener, nil, nil)
      if connection < 0 && errno == EINTR { continue }
      if connection < 0 { return }
      var request = [UInt8](repeating: 0, count: 4096)
      if recv(connection, &request, request.count, 0) > 0 {
        _ = send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      }
      close(connection)
    }
  }
}
