import CReportText

/// A value of a JSON document with lenient accessors: a missing member, or a member of another
/// type, is nil.
struct JSON {
  /// Owns the parsed document for as long as any value of it exists.
  private final class Document {
    let pointer: OpaquePointer

    init?(_ bytes: UnsafeRawBufferPointer) {
      let parsed = ms_json_parse(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      guard let parsed else { return nil }
      pointer = parsed
    }

    deinit { ms_json_free(pointer) }
  }

  private let document: Document
  private let value: ms_json_value

  /// - Returns: nil if the bytes are not one JSON document.
  init?(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    let contiguous = Array(bytes)
    guard let document = contiguous.withUnsafeBytes({ Document($0) }) else { return nil }
    self.init(document, ms_json_root(document.pointer))
  }

  private init(_ document: Document, _ value: ms_json_value) {
    self.document = document
    self.value = value
  }

  private var kind: ms_json_kind { ms_json_kind_of(value) }

  var isObject: Bool { kind == MS_JSON_OBJECT }
  var isArray: Bool { kind == MS_JSON_ARRAY }
  var isNull: Bool { kind == MS_JSON_NULL }

  /// The member `key` of an object; nil if it is absent or null.
  subscript(key: String) -> JSON? {
    var key = key
    return key.withUTF8 { bytes in
      var found = ms_json_value()
      let name = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      guard let name, ms_json_member(value, name, bytes.count, &found) else { return nil }
      let member = JSON(document, found)
      return member.isNull ? nil : member
    }
  }

  /// The first existing member of `keys`.
  func first(_ keys: String...) -> JSON? {
    for key in keys {
      if let member = self[key] { return member }
    }
    return nil
  }

  var string: String? {
    guard kind == MS_JSON_STRING else { return nil }
    var size = 0
    let text = ms_json_string(value, &size)
    return String(decoding: UnsafeRawBufferPointer(start: text, count: size), as: UTF8.self)
  }

  /// A whole number; also accepts a number in a string, and a number with a zero fraction.
  var integer: Int? {
    switch kind {
    case MS_JSON_INTEGER, MS_JSON_UNSIGNED: Int(ms_json_integer(value))
    case MS_JSON_DOUBLE: Int(exactly: ms_json_double(value).rounded())
    case MS_JSON_STRING: string.flatMap { Int($0) }
    default: nil
    }
  }

  var double: Double? {
    switch kind {
    case MS_JSON_INTEGER, MS_JSON_UNSIGNED, MS_JSON_DOUBLE: ms_json_double(value)
    case MS_JSON_STRING: string.flatMap { Double($0) }
    default: nil
    }
  }

  var boolean: Bool? {
    switch kind {
    case MS_JSON_TRUE: true
    case MS_JSON_FALSE: false
    default: nil
    }
  }

  /// An address: a number, or hexadecimal text.
  var address: UInt64? {
    if let text = string { return UInt64(hexadecimal: text) }
    return kind == MS_JSON_INTEGER || kind == MS_JSON_UNSIGNED
      ? UInt64(bitPattern: ms_json_integer(value)) : nil
  }

  /// The values of an array; empty for anything else.
  var array: [JSON] { isArray ? members.map(\.value) : [] }

  /// The members of an object, or the elements of an array, in order.
  var members: [(key: String, value: JSON)] {
    var walk = Walk(document: document)
    withUnsafeMutablePointer(to: &walk) { walk in
      ms_json_each(value, walk) { walk, key, size, value in
        walk!.assumingMemoryBound(to: Walk.self).pointee.add(key, size, value)
        return true
      }
    }
    return walk.members
  }

  /// The members collected during a walk.
  private struct Walk {
    let document: Document
    var members: [(key: String, value: JSON)] = []

    mutating func add(_ key: UnsafePointer<CChar>?, _ size: Int, _ value: ms_json_value) {
      let name = UnsafeRawBufferPointer(start: key, count: size)
      members.append((String(decoding: name, as: UTF8.self), JSON(document, value)))
    }
  }

  /// A scalar as text; nil for arrays, objects and null.
  var text: String? {
    if let string { return string }
    if let boolean { return "\(boolean)" }
    if kind == MS_JSON_DOUBLE { return double.map { "\($0)" } }
    return integer.map { "\($0)" }
  }
}

extension UInt64 {
  /// A number from `0x…` or bare hexadecimal digits.
  init?(hexadecimal text: some StringProtocol) {
    let isPrefixed = text.hasPrefix("0x") || text.hasPrefix("0X")
    self.init(isPrefixed ? String(text.dropFirst(2)) : String(text), radix: 16)
  }
}
