/// Text that is safe for a terminal: control characters in untrusted input are escaped.
///
/// Only literals in the program's source are copied unchanged. Every interpolated string is
/// escaped, so that no caller can forget to escape.
package struct VisibleText: Sendable, Hashable {
  /// The text to write.
  package private(set) var string: String

  package init() { string = "" }

  /// Creates text from `untrusted` with its control characters escaped.
  package init(_ untrusted: String) { string = escapingControls(untrusted) }

  private init(asItStands string: String) { self.string = string }

  package var isEmpty: Bool { string.isEmpty }

  /// The width in columns, without color codes.
  package var width: Int {
    let plain = string.utf8.contains(0x1B) ? withoutColours : string
    return plain.utf8.allSatisfy { $0 < 0x80 } ? plain.utf8.count : plain.count
  }

  /// The text without color codes. Only this program's own escapes occur, and each ends in an `m`.
  private var withoutColours: String {
    var plain: [UInt8] = []
    var isEscape = false
    for byte in string.utf8 {
      isEscape = isEscape || byte == 0x1B
      if !isEscape { plain.append(byte) }
      if byte == UInt8(ascii: "m") { isEscape = false }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  package static func += (left: inout VisibleText, right: VisibleText) {
    left.string += right.string
  }

  package static func + (left: VisibleText, right: VisibleText) -> VisibleText {
    VisibleText(asItStands: left.string + right.string)
  }

  /// Returns the text padded with trailing spaces to `width` columns.
  package func padded(to width: Int) -> VisibleText {
    VisibleText(asItStands: string + spaces(width - self.width))
  }

  /// Returns the text padded with leading spaces to `width` columns.
  package func rightAligned(to width: Int) -> VisibleText {
    VisibleText(asItStands: spaces(width - self.width) + string)
  }

  /// The parts of the text between spaces.
  package var words: [VisibleText] {
    string.split(separator: " ", omittingEmptySubsequences: false)
      .map { VisibleText(asItStands: String($0)) }
  }

  /// Returns `count` spaces.
  package static func indent(_ count: Int) -> VisibleText {
    VisibleText(asItStands: spaces(count))
  }

  /// Returns the text between two terminal codes.
  package func between(_ start: StaticString, _ end: StaticString) -> VisibleText {
    VisibleText(asItStands: "\(start)\(string)\(end)")
  }
}

extension VisibleText: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { string = value }

  package init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

  package struct StringInterpolation: StringInterpolationProtocol {
    var string = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      string.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    package mutating func appendLiteral(_ literal: String) { string += literal }

    package mutating func appendInterpolation(_ untrusted: String) {
      string += escapingControls(untrusted)
    }

    package mutating func appendInterpolation(_ text: VisibleText) { string += text.string }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      string += String(number)
    }
  }
}

extension Sequence<VisibleText> {
  /// Returns the elements joined by `separator`.
  package func joined(by separator: VisibleText) -> VisibleText {
    var joined = VisibleText()
    var isFirst = true
    for text in self {
      if !isFirst { joined += separator }
      joined += text
      isFirst = false
    }
    return joined
  }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: Swift.max(count, 0)) }
