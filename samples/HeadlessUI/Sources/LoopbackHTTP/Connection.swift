import Foundation

/// One client's connection.
struct Connection {
  let socket: Int32

  /// Reads one request; nil where the client leaves before its end, or sends something else.
  func receive() -> HTTPRequest? {
    var bytes = Data()
    let blank = Data("\r\n\r\n".utf8)
    while bytes.count < 1 << 20 {
      guard let more = receiveSome() else { return nil }
      bytes += more
      guard let end = bytes.range(of: blank) else { continue }
      let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      let length = HTTPRequest(head: head, body: Data())?.headers["content-length"]
      var body = bytes[end.upperBound...]
      while body.count < Int(length ?? "") ?? 0 {
        guard let more = receiveSome() else { return nil }
        body += more
      }
      return HTTPRequest(head: head, body: Data(body))
    }
    return nil
  }

  private func receiveSome() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      return count > 0 ? Data(buffer[..<count]) : nil
    }
  }

  /// Sends all bytes, unless the client has left.
  func send(_ bytes: Data) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        Foundation.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
