internal import CRecorder

/// A value in memory whose type is compared by address, because a cast would call the runtime.
struct PrimitiveValue {
  private let bytes: UnsafeRawBufferPointer
  private let type: Any.Type

  init(_ bytes: UnsafeRawBufferPointer, of type: Any.Type) {
    self.bytes = bytes
    self.type = type
  }

  /// Returns the value if its type is `plain`.
  @inline(__always)
  func load<Plain>(as plain: Plain.Type) -> Plain? {
    type == plain ? bytes.load(as: plain) : nil
  }

  /// The value as a crumb value; nil if its type has no direct representation.
  var crumbValue: CrumbValue? {
    if let text = load(as: String.self) { return .string(text) }
    if let number = load(as: Int.self) { return .integer(Int64(number)) }
    if let truth = load(as: Bool.self) { return .boolean(truth) }
    if let number = load(as: Double.self) { return .double(number) }
    if let number = load(as: Int64.self) { return .integer(number) }
    if let number = wide { return Int64(exactly: number).map(CrumbValue.integer) }
    if let number = load(as: Int32.self) { return .integer(Int64(number)) }
    if let number = load(as: UInt32.self) { return .integer(Int64(number)) }
    if let number = load(as: UInt8.self) { return .integer(Int64(number)) }
    if let number = load(as: UInt16.self) { return .integer(Int64(number)) }
    if let number = load(as: Int16.self) { return .integer(Int64(number)) }
    if let number = load(as: Int8.self) { return .integer(Int64(number)) }
    if let number = load(as: Float.self) { return .double(Double(number)) }
    return load(as: CrumbValue.self)
  }

  /// An unsigned number that may exceed `Int64`. A larger number is recorded as text, because
  /// clamping would make half of all ids and hashes equal.
  var wide: UInt64? { load(as: UInt64.self) ?? load(as: UInt.self).map(UInt64.init) }

  var uuid: UnsafeRawBufferPointer? {
    bytes.count == 16 && ms_type_is_uuid(unsafeBitCast(type, to: UnsafeRawPointer.self))
      ? bytes : nil
  }
}

extension CrumbValue {
  /// Converts a value of any type to a crumb value.
  init(describing value: some CustomStringConvertible) {
    self =
      withUnsafeBytes(of: value) { PrimitiveValue($0, of: type(of: value)).crumbValue }
      ?? .string(value.description)
  }
}

extension DataEncoder {
  /// Adds a value whose text can be formatted in place: a number that no `CrumbValue` can
  /// represent, or a UUID. Returns false for all other values, whose descriptions are foreign code.
  func add(_ key: String, textOf value: PrimitiveValue) -> Bool {
    if let number = value.wide {
      add(key, room: Self.mostDigits) { Self.write(number, to: $0) }
    } else if let uuid = value.uuid {
      add(key, room: 36) { Self.write(uuid: uuid, to: $0) }
    } else {
      return false
    }
    return true
  }

  /// Adds a source location such as `Stock.swift:12`.
  func add(_ key: String, file: String, line: UInt) {
    withBytes(of: file) { name, size in
      add(key, room: size + 1 + Self.mostDigits) { text in
        if let name {
          UnsafeMutableRawBufferPointer(text).copyMemory(from: .init(start: name, count: size))
        }
        text[size] = UInt8(ascii: ":")
        return size + 1
          + Self.write(UInt64(line), to: UnsafeMutableBufferPointer(rebasing: text[(size + 1)...]))
      }
    }
  }

  private func add(
    _ key: String, room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { text in
      let size = write(text)
      add(key, text: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<size]))
    }
  }

  private static var mostDigits: Int { 20 }

  /// Writes a decimal number, and returns the number of digits.
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

  /// Writes a UUID in the format of `uuidString`, and returns the number of characters.
  private static func write(
    uuid: UnsafeRawBufferPointer, to text: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var end = 0
    for (index, byte) in uuid.enumerated() {
      if [4, 6, 8, 10].contains(index) { put(UInt8(ascii: "-")) }
      put(digit(byte >> 4))
      put(digit(byte & 15))
    }
    return end

    func put(_ character: UInt8) {
      text[end] = character
      end += 1
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
