internal import CRecorder

/// A type whose values a crumb takes as they are. Values of any other type are asked to describe
/// themselves, which runs their author's code.
enum PlainType {
  case crumbValue, string, boolean, double, float, uuid
  case int, int8, int16, int32, int64
  case uint, uint8, uint16, uint32, uint64

  /// Compares addresses only: a cast would ask the runtime, once for each type.
  init?<Value>(_ type: Value.Type) {
    let known = Self.often(type) ?? Self.integer(type) ?? Self.seldom(type)
    guard let known, known != .uuid || MemoryLayout<Value>.size == 16 else { return nil }
    self = known
  }

  private static func often(_ type: Any.Type) -> PlainType? {
    if type == String.self { return .string }
    if type == Int.self { return .int }
    if type == Bool.self { return .boolean }
    if type == Double.self { return .double }
    return nil
  }

  private static func integer(_ type: Any.Type) -> PlainType? {
    if type == Int64.self { return .int64 }
    if type == UInt64.self { return .uint64 }
    if type == UInt.self { return .uint }
    if type == Int32.self { return .int32 }
    if type == UInt32.self { return .uint32 }
    if type == UInt8.self { return .uint8 }
    if type == UInt16.self { return .uint16 }
    if type == Int16.self { return .int16 }
    if type == Int8.self { return .int8 }
    return nil
  }

  private static func seldom(_ type: Any.Type) -> PlainType? {
    if ms_type_is_uuid(unsafeBitCast(type, to: UnsafeRawPointer.self)) { return .uuid }
    if type == CrumbValue.self { return .crumbValue }
    if type == Float.self { return .float }
    return nil
  }
}

extension CrumbValue {
  /// What a value is in a crumb. Only a UUID, a whole number that does not fit, and a value of no
  /// plain type need a text of their own.
  init<Value: CustomStringConvertible>(_ value: Value, of type: PlainType?) {
    self = withUnsafeBytes(of: value) { bytes in
      switch type {
      case .crumbValue: bytes.load(as: CrumbValue.self)
      case .string: .string(bytes.load(as: String.self))
      case .boolean: .boolean(bytes.load(as: Bool.self))
      case .double: .double(bytes.load(as: Double.self))
      case .float: .double(Double(bytes.load(as: Float.self)))
      case .int: .integer(Int64(bytes.load(as: Int.self)))
      case .int8: .integer(Int64(bytes.load(as: Int8.self)))
      case .int16: .integer(Int64(bytes.load(as: Int16.self)))
      case .int32: .integer(Int64(bytes.load(as: Int32.self)))
      case .int64: .integer(bytes.load(as: Int64.self))
      case .uint: CrumbValue(whole: UInt64(bytes.load(as: UInt.self)))
      case .uint8: .integer(Int64(bytes.load(as: UInt8.self)))
      case .uint16: .integer(Int64(bytes.load(as: UInt16.self)))
      case .uint32: .integer(Int64(bytes.load(as: UInt32.self)))
      case .uint64: CrumbValue(whole: bytes.load(as: UInt64.self))
      case .uuid, nil: .string(value.description)
      }
    }
  }

  /// A number that does not fit is a text: half of all ids and hashes would else be one number.
  private init(whole number: UInt64) {
    self = Int64(exactly: number).map(CrumbValue.integer) ?? .string("\(number)")
  }
}
