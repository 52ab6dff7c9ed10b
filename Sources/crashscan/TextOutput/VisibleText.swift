/// Text that is safe for a terminal: control characters in untrusted input are escaped.
///
/// Only literals of the program's own source are copied unchanged; every interpolated string is escaped, so
/// that no caller can forget it.
package struct VisibleText: Sendable, Hashable {
  /// The text as it is to be written.
  package private(set) var string: String

  package init() { string = "" }

  /// Shows `untrusted` with its controls escaped.
  package init(_ untrusted: String) { string = escapingControls(untrusted) }

  private init(asItStands string: String) { self.string = string }

  package var isEmpty: Bool { string.isEmpty }

  /// How many places it takes in a line, colours apart.
  package var width: Int {
    let plain = string.utf8.contains(0x1B) ? withoutColours : string
    return plain.utf8.allSatisfy { $0 < 0x80 } ? plain.utf8.count : plain.count
  }

  /// Escapes in it are our own, and each ends in an `m`.
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

  /// Itself, filled up with spaces to `width` places.
  package func padded(to width: Int) -> VisibleText {
    VisibleText(asItStands: string + spaces(width - self.width))
  }

  /// Itself, spaces before it up to `width` places.
  package func rightAligned(to width: Int) -> VisibleText {
    VisibleText(asItStands: spaces(width - self.width) + string)
  }

  /// The parts between its spaces.
  package var words: [VisibleText] {
    string.split(separator: " ", omittingEmptySubsequences: false)
      .map { VisibleText(asItStands: String($0)) }
  }

  /// As many spaces as `count` says.
  package static func indent(_ count: Int) -> VisibleText {
    VisibleText(asItStands: spaces(count))
  }

  /// Itself between two codes of a terminal.
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
  /// All of them, `separator` between each two.
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
