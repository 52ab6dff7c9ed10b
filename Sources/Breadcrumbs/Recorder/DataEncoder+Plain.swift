internal import CBreadcrumbLog

extension DataEncoder {
  /// Adds a number that no `CrumbValue` holds, digit by digit.
  mutating func add(_ key: String, whole number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
      var left = number
      var start = text.count
      while left > 0 {
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(left % 10)
        left /= 10
      }
      add(key, text: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[start...]))
    }
  }

  /// Adds a UUID as its `uuidString` has it.
  mutating func add(_ key: String, uuid: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
      var end = 0
      for (index, byte) in uuid.enumerated() {
        if [4, 6, 8, 10].contains(index) { put(UInt8(ascii: "-")) }
        put(Self.digit(byte >> 4))
        put(Self.digit(byte & 15))
      }
      add(key, text: UnsafeRawBufferPointer(text))

      func put(_ character: UInt8) {
        text[end] = character
        end += 1
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
