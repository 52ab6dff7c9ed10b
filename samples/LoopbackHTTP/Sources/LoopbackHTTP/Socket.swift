import Foundation

/// The few system calls a server is made of.
enum Socket {
  /// A listening socket on loopback, and the port that the system chose.
  static func listen() throws -> (socket: Int32, port: UInt16) {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && Foundation.listen(socket, 128) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    guard socket >= 0, isListening else {
      if socket >= 0 { close(socket) }
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// The next connection; `nil` once the listener is shut down.
  static func accept(at listener: Int32) -> Int32? {
    while true {
      let connection = Foundation.accept(listener, nil, nil)
      if connection >= 0 { return connection }
      if errno != EINTR && errno != ECONNABORTED { return nil }
    }
  }

  /// What came next; `nil` at the end.
  static func receive(from connection: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &bytes, bytes.count, 0)
      if count > 0 { return Data(bytes[..<count]) }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  /// Writes all of it, or as much as the other side takes.
  static func send(_ data: Data, to connection: Int32) {
    var rest = data
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Wakes whoever accepts there.
  static func shutDown(_ listener: Int32) { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Lets the descriptor go.
  static func close(_ socket: Int32) { Foundation.close(socket) }
}
