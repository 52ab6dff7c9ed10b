#if Hummingbird
  internal import Logging
  internal import Synchronization

  /// Returns a request's method and route in the notation of the route's author: `GET /stock/:item` for
  /// `/stock/{item}`.
  func requestName(_ method: String, _ template: String?) -> String {
    guard let template else { return "\(method) (no route)" }
    let capacity = method.utf8.count + 1 + template.utf8.count
    return String(unsafeUninitializedCapacity: capacity) { bytes in
      var size = 0
      func append(_ byte: UInt8) {
        bytes.initializeElement(at: size, to: byte)
        size += 1
      }
      for byte in method.utf8 { append(byte) }
      append(UInt8(ascii: " "))
      var part = size
      func endPart() {
        guard size - part >= 2, bytes[part] == UInt8(ascii: "{"),
          bytes[size - 1] == UInt8(ascii: "}")
        else { return }
        bytes[part] = UInt8(ascii: ":")
        size -= 1
      }
      for byte in template.utf8 {
        if byte == UInt8(ascii: "/") { endPart() }
        append(byte)
        if byte == UInt8(ascii: "/") { part = size }
      }
      endPart()
      return size
    }
  }

  /// Returns the id that Hummingbird gives the request's logger, or a number of our own if the logger keeps no metadata.
  func requestID(in logger: Logger) -> String {
    if let id = logger[metadataKey: "hb.request.id"] { return id.description }
    return "\(requestsWithoutID.add(1, ordering: .relaxed).newValue)"
  }

  private let requestsWithoutID = Atomic<UInt64>(0)
#endif
