internal import CRecorder

extension DataEncoder {
  /// Adds a number that no `CrumbValue` holds, digit by digit.
  mutating func add(_ key: String, whole number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.mostDigits) { text in
      let size = Self.write(number, to: text)
      add(key, text: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<size]))
    }
  }

  /// Adds a place in the source, `Stock.swift:12`.
  mutating func add(_ key: String, file: String, line: UInt) {
    withBytes(of: file) { name, size in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size + 1 + Self.mostDigits) { text in
        if let name {
          UnsafeMutableRawBufferPointer(text).copyMemory(from: .init(start: name, count: size))
        }
        text[size] = UInt8(ascii: ":")
        let digits = Self.write(
          UInt64(line), to: UnsafeMutableBufferPointer(rebasing: text[(size + 1)...]))
        add(
          key,
          text: UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(text)[..<(size + 1 + digits)]))
      }
    }
  }

  private static let mostDigits = 20

  /// Writes a number, and says how many digits it has.
  private static func write(_ number: UInt64, to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var (left, count) = (number, 1)
    while left > 9 {
      left /= 10
      count += 1
    }
    left = number
    for place in (0..<count).reversed() {
      text[place] = UInt8(ascii: "0") + UInt8(left % 10)
      left /= 10
    }
    return count
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
