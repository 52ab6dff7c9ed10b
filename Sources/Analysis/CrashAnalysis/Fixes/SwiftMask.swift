/// Blanks out comments and strings in a Swift source, including nested ones.
struct SwiftMask {
  private let bytes: [UInt8]
  private var code: [UInt8]
  private var at = 0
  /// The number of open strings at this offset, each within an interpolation of the next.
  private var openStrings = 0
  private var isTooDeep = false

  /// The maximum nesting of strings in interpolations.
  private static let deepest = 64

  /// Returns the source with comments and strings blanked out.
  ///
  /// - Returns: nil if strings are nested too deeply.
  static func blanked(_ bytes: [UInt8]) -> [UInt8]? {
    var mask = SwiftMask(bytes)
    mask.run()
    return mask.isTooDeep ? nil : mask.code
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    code = bytes
  }

  private mutating func run() {
    while at < bytes.count {
      if starts("//") {
        blank { $0.bytes[$0.at] == UInt8(ascii: "\n") }
      } else if starts("/*") {
        blankComment()
      } else if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "#") {
        if !blankString() { at += 1 }
      } else {
        at += 1
      }
    }
  }

  private func starts(_ text: StaticString, _ offset: Int = 0) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + offset + count <= bytes.count else { return false }
    return (0..<count).allSatisfy { bytes[at + offset + $0] == text.utf8Start[$0] }
  }

  private mutating func skip(_ count: Int) {
    for _ in 0..<count where at < bytes.count {
      if bytes[at] != UInt8(ascii: "\n") { code[at] = UInt8(ascii: " ") }
      at += 1
    }
  }

  private mutating func blank(until isEnd: (Self) -> Bool) {
    while at < bytes.count, !isEnd(self) { skip(1) }
  }

  private mutating func blankComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        skip(2)
      } else if starts("*/") {
        depth -= 1
        skip(2)
      } else {
        skip(1)
      }
    } while depth > 0 && at < bytes.count
  }

  /// Blanks out a string literal at the current offset.
  ///
  /// - Returns: false if no string begins here.
  private mutating func blankString() -> Bool {
    var hashes = 0
    while at + hashes < bytes.count, bytes[at + hashes] == UInt8(ascii: "#") { hashes += 1 }
    guard at + hashes < bytes.count, bytes[at + hashes] == UInt8(ascii: "\"") else { return false }
    guard openStrings < Self.deepest else {
      isTooDeep = true
      at = bytes.count
      return true
    }
    openStrings += 1
    defer { openStrings -= 1 }
    let start = at
    skip(hashes)
    let isLong = starts("\"\"\"")
    skip(isLong ? 3 : 1)
    while at < bytes.count {
      if !isLong, bytes[at] == UInt8(ascii: "\n") { break }
      if isEscape(hashes) {
        skip(1 + hashes)
        if starts("(") { blankInterpolation() } else { skip(1) }
      } else if isLong ? starts("\"\"\"") && isEnd(hashes, 3) : starts("\"") && isEnd(hashes, 1) {
        skip((isLong ? 3 : 1) + hashes)
        break
      } else {
        skip(1)
      }
    }
    // Keep one quote, because a string is an expression in the code.
    code[start] = UInt8(ascii: "\"")
    return true
  }

  private func isEscape(_ hashes: Int) -> Bool {
    bytes[at] == UInt8(ascii: "\\") && isFollowed(by: hashes, 1)
  }

  private func isEnd(_ hashes: Int, _ quotes: Int) -> Bool { isFollowed(by: hashes, quotes) }

  private func isFollowed(by hashes: Int, _ offset: Int) -> Bool {
    (0..<hashes).allSatisfy {
      at + offset + $0 < bytes.count && bytes[at + offset + $0] == UInt8(ascii: "#")
    }
  }

  private mutating func blankInterpolation() {
    var depth = 0
    repeat {
      if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "#") {
        let start = at
        if blankString() {
          code[start] = UInt8(ascii: " ")
          continue
        }
      }
      if bytes[at] == UInt8(ascii: "(") { depth += 1 }
      if bytes[at] == UInt8(ascii: ")") { depth -= 1 }
      skip(1)
    } while depth > 0 && at < bytes.count
  }
}
