/// Swift source as a tree of brace-delimited blocks.
struct SwiftText {
  /// A block of code between two braces.
  struct Block {
    enum Kind { case control, function, type, accessor, closure }

    var kind: Kind
    /// The offsets of the braces.
    var open: Int
    var close: Int
    /// The code before the brace, with strings and comments blanked out.
    var header: Substring
    var headerStart: Int
  }

  let lines: [String]
  /// The source bytes with strings and comments blanked out.
  let code: [UInt8]
  /// The offset at which each line starts.
  private let starts: [Int]
  let blocks: [Block]

  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.count == bytes.count, !bytes.contains(UInt8(ascii: "\r")) else { return nil }
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let code = SwiftMask.blanked(bytes), let pairs = Self.pairs(code) else { return nil }
    self.code = code
    starts = [0] + code.indices.filter { code[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    let header = SwiftHeader(code, pairs)
    blocks = pairs.filter { code[$0.key] == UInt8(ascii: "{") }.sorted { $0.key < $1.key }
      .map { header.block(from: $0.key, to: $0.value) }
  }

  /// Returns the 1-based line of a byte offset.
  func line(of place: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// Returns the byte range of a line, without its newline.
  func range(ofLine line: Int) -> Range<Int> {
    let end = line < starts.count ? starts[line] - 1 : code.count
    return starts[line - 1]..<max(end, starts[line - 1])
  }

  /// Returns the offset of the first non-blank byte of a line; nil if the line is empty.
  func beginning(ofLine line: Int) -> Int? {
    guard line > 0, line <= starts.count else { return nil }
    return range(ofLine: line).first { code[$0] != UInt8(ascii: " ") && code[$0] != 9 }
  }

  /// Returns the source text in a range.
  func text(_ range: Range<Int>) -> String {
    let (first, last) = (
      line(of: range.lowerBound), line(of: max(range.lowerBound, range.upperBound - 1))
    )
    var parts: [Substring] = []
    for number in first...last {
      let whole = self.range(ofLine: number)
      let from = max(range.lowerBound, whole.lowerBound) - whole.lowerBound
      let to = min(range.upperBound, whole.upperBound) - whole.lowerBound
      let line = Array(lines[number - 1].utf8)
      parts.append(
        Substring(
          decoding: line[min(from, line.count)..<max(from, min(to, line.count))], as: UTF8.self))
    }
    return parts.joined(separator: "\n")
  }

  /// Returns the code in a range, with strings and comments blanked out.
  func codeText(_ range: Range<Int>) -> String { String(decoding: code[range], as: UTF8.self) }

  /// Returns the code in a range, followed by the code of the interpolations in its strings.
  func read(_ range: Range<Int>) -> String {
    let bytes = Array(text(range).utf8)
    var parts = [codeText(range)]
    var at = 0
    while at < bytes.count {
      var open = at + 1
      while open < bytes.count, bytes[open] == UInt8(ascii: "#") { open += 1 }
      guard bytes[at] == UInt8(ascii: "\\"), open < bytes.count, bytes[open] == UInt8(ascii: "(")
      else {
        at += 1
        continue
      }
      var (depth, end) = (0, open)
      repeat {
        if bytes[end] == UInt8(ascii: "(") { depth += 1 }
        if bytes[end] == UInt8(ascii: ")") { depth -= 1 }
        end += 1
      } while depth > 0 && end < bytes.count
      parts.append(String(decoding: bytes[open..<end], as: UTF8.self))
      at = end
    }
    return parts.joined(separator: " ")
  }

  /// Returns the blocks that contain an offset, innermost first.
  func blocks(around place: Int) -> [Block] {
    blocks.filter { $0.open < place && place <= $0.close }.sorted { $0.open > $1.open }
  }

  /// Returns the offset of the closing bracket for each opening bracket; nil if brackets do not
  /// match.
  private static func pairs(_ code: [UInt8]) -> [Int: Int]? {
    var pairs: [Int: Int] = [:]
    var open: [(place: Int, closing: UInt8)] = []
    for (place, byte) in code.enumerated() {
      switch byte {
      case UInt8(ascii: "("): open.append((place, UInt8(ascii: ")")))
      case UInt8(ascii: "["): open.append((place, UInt8(ascii: "]")))
      case UInt8(ascii: "{"): open.append((place, UInt8(ascii: "}")))
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard let last = open.popLast(), last.closing == byte else { return nil }
        pairs[last.place] = place
      default: break
      }
    }
    return open.isEmpty ? pairs : nil
  }
}
