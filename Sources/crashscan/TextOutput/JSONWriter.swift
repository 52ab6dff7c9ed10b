/// Writes JSON in pieces, so that a document of any length needs memory only for its last piece.
package struct JSONWriter: Sendable {
  /// The text that was written and not taken yet.
  private var text = ""
  private var needsComma = false
  private var needsBreak = false

  package init() {}

  /// Returns the text that was written since the last call.
  package mutating func take() -> String {
    defer { text.removeAll(keepingCapacity: true) }
    return text
  }

  // MARK: Structure

  package mutating func beginObject() { begin("{") }
  package mutating func endObject() { end("}") }
  package mutating func beginArray() { begin("[") }
  package mutating func endArray() { end("]") }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  package mutating func array<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }

  /// Starts a member of an object; its value must follow.
  package mutating func key(_ key: StaticString) {
    separate()
    text += "\"\(key)\":"
    needsComma = false
  }

  /// Starts a member with a dynamic key.
  package mutating func key(_ key: String) {
    separate()
    appendQuoted(key)
    text += ":"
    needsComma = false
  }

  /// Starts a new line, for readers that read line by line.
  package mutating func breakLine() { needsBreak = true }

  // MARK: Values

  package mutating func value(_ string: String) {
    separate()
    appendQuoted(string)
    needsComma = true
  }

  package mutating func value(_ number: some BinaryInteger) { plain(String(number)) }

  package mutating func value(_ flag: Bool) { plain(flag ? "true" : "false") }

  package mutating func null() { plain("null") }

  /// Writes a number. JSON has no infinity or NaN, so these are written as strings.
  package mutating func value(_ number: Double) {
    number.isFinite ? plain("\(number)") : value("\(number)")
  }

  /// Appends the output of another writer.
  package mutating func written(_ json: String) { plain(json) }

  private mutating func plain(_ token: String) {
    separate()
    text += token
    needsComma = true
  }

  private mutating func begin(_ bracket: String) {
    separate()
    text += bracket
    needsComma = false
  }

  private mutating func end(_ bracket: String) {
    needsComma = false
    separate()
    text += bracket
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { text += "," }
    if needsBreak { text += "\n" }
    needsBreak = false
  }

  private mutating func appendQuoted(_ string: String) {
    text += "\""
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      text += string
    } else {
      for scalar in string.unicodeScalars { append(scalar) }
    }
    text += "\""
  }

  // JSON is also viewed in terminals, so control characters are escaped.
  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where scalar.steersTerminals:
      for unit in UTF16.encode(scalar)! {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    default: text.unicodeScalars.append(scalar)
    }
  }
}

extension JSONWriter {
  package mutating func member(_ key: StaticString, _ value: String) {
    self.key(key)
    self.value(value)
  }

  package mutating func member(_ key: StaticString, _ value: some BinaryInteger) {
    self.key(key)
    self.value(value)
  }

  package mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    self.value(value)
  }

  /// Writes a member; null for nil.
  package mutating func member(_ key: StaticString, _ value: String?) {
    self.key(key)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a member; null for nil.
  package mutating func member(_ key: StaticString, _ value: Int?) {
    self.key(key)
    if let value { self.value(value) } else { null() }
  }
}
