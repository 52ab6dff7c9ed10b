import Foundation

/// An HTTP server on loopback that sends each path back in small pieces, until it is let go.
final class LoopbackServer: Sendable {
  let url: URL
  private let listener: Int32

  init() throws {
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
    guard socket >= 0, isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    listener = socket
    url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")!
    Thread.detachNewThread { LoopbackServer.accept(at: socket) }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func accept(at listener: Int32) {
    defer { close(listener) }
    while true {
      let connection = Foundation.accept(listener, nil, nil)
      if connection < 0 && errno == EINTR { continue }
      if connection < 0 { return }
      Thread.detachNewThread { serve(connection) }
    }
  }

  private static func serve(_ connection: Int32) {
    defer { close(connection) }
    var request = [UInt8](repeating: 0, count: 4096)
    let count = recv(connection, &request, request.count, 0)
    guard count > 0 else { return }
    let words = String(decoding: request[..<count], as: UTF8.self).split(separator: " ")
    let path = words.count > 1 ? String(words[1]) : "/"
    // `/from/7` leads to `/7`.
    if path.hasPrefix("/from/") {
      let location = path.dropFirst("/from".count)
      return send(
        "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n"
          + "Connection: close\r\n\r\n", to: connection)
    }
    let piece = String(repeating: path, count: 4096 / path.utf8.count)
    send(
      "HTTP/1.1 200 OK\r\nContent-Length: \(piece.utf8.count * 4)\r\nConnection: close\r\n\r\n",
      to: connection)
    for _ in 0..<4 {
      send(piece, to: connection)
      usleep(1000)
    }
  }

  private static func send(_ text: String, to connection: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        Foundation.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
