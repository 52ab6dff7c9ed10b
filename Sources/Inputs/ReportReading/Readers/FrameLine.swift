/// A stack line in the format of Apple's tools: `4   Image   0x1234 symbol + 12`.
struct FrameLine {
  var number: Int
  var frame: CrashReport.Frame

  /// - Returns: nil if `line` is no frame.
  init?(_ line: some StringProtocol) {
    guard let found = line.withBytes(Self.find) else { return nil }
    self = found
  }

  /// - Returns: nil if `line` is no frame.
  init?(_ line: ConsoleText.Line) {
    guard let found = line.bytes.withUnsafeBufferPointer(Self.find) else { return nil }
    self = found
  }

  /// Parses an abbreviated frame: without an address, perhaps without an image. Many other lines
  /// have this form, so it counts only where a stack is expected.
  init?(abbreviated line: String) {
    var text = line.trimmedOf(" \t>|`/*#;")[...]
    let digits = text.prefix(while: \.isNumber)
    guard (1...3).contains(digits.count), let number = Int(digits) else { return nil }
    text = text.dropFirst(digits.count)
    if text.first == ":" || text.first == "." { text = text.dropFirst() }
    guard text.first?.isWhitespace == true else { return nil }
    text = text.trimmed[...]
    var frame = CrashReport.Frame()
    if let open = text.lastRange(of: " (in "), text.hasSuffix(")") {
      frame.image = String(text[open.upperBound...].dropLast())
      text = text[..<open.lowerBound]
    } else if !Self.isFunction(text) {
      let gaps = [text.range(of: "  ")?.lowerBound, text.firstIndex(of: "\t")].compactMap(\.self)
      let column = gaps.min() ?? text.firstIndex { $0.isWhitespace }
      let image = text[..<(column ?? text.endIndex)]
      let rest = text[image.endIndex...]
      let isColumn =
        rest.hasPrefix("  ") || rest.first == "\t" || Self.isFunction(rest.trimmed[...])
      guard isColumn, !image.isEmpty, image.utf8.count < 64,
        image.utf8.allSatisfy({ $0.isWord || $0 == 45 || $0 == 43 || $0 == 32 })
      else { return nil }
      frame.image = String(image)
      text = rest.trimmed[...]
    }
    let named = Self.symbol(in: text)
    (frame.symbol, frame.file, frame.line) = (named.symbol, named.file, named.line)
    guard !frame.symbol.isEmpty else { return nil }
    self.init(number: number, frame: frame)
  }

  /// True if a text begins like a function name and unlike an image name.
  private static func isFunction(_ text: Substring) -> Bool {
    ["-[", "+[", "closure #", "@objc ", "static ", "__", "block in ", "specialized "]
      .contains(where: text.hasPrefix) || text.prefix { $0 != " " }.contains("(")
  }

  private init(number: Int, frame: CrashReport.Frame) {
    self.number = number
    self.frame = frame
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The maximum number of words of a log prefix before the frame.
  private static let mostWords = 5

  private static func find(_ line: Bytes) -> FrameLine? {
    guard line.offset(of: "0x") != nil else { return nil }
    var at = line.firstIndex { !$0.isSpace && !quotes.contains($0) } ?? line.count
    for _ in 0..<mostWords {
      if let found = parse(line, from: at) { return found }
      while at < line.count, line[at] != UInt8(ascii: " ") { at += 1 }
      while at < line.count, line[at] == UInt8(ascii: " ") { at += 1 }
    }
    return nil
  }

  private static let quotes = Set(">|`/*#;".utf8)

  private static func parse(_ line: Bytes, from start: Int) -> FrameLine? {
    var at = start
    var number = 0
    while at < line.count, line[at].isDigit, at < start + 5 {
      number = number * 10 + Int(line[at] - 48)
      at += 1
    }
    guard (1...4).contains(at - start), at < line.count, line[at].isSpace,
      let place = addressPlace(line, from: at)
    else { return nil }
    let image = line.text(at..<place).trimmed
    var end = place + 2
    var address: UInt64 = 0
    while end < line.count, !line[end].isSpace {
      guard line[end].isHexDigit, address >> 60 == 0 else { return nil }
      let digit = line[end].isDigit ? line[end] - 48 : (line[end] | 32) - 87
      address = address << 4 | UInt64(digit)
      end += 1
    }
    guard image.utf8.count < 256 else { return nil }
    let named = symbol(in: line.text(end..<line.count)[...])
    var frame = CrashReport.Frame(image: image, address: address)
    (frame.symbol, frame.file, frame.line) = (named.symbol, named.file, named.line)
    return FrameLine(number: number, frame: frame)
  }

  /// The start of the address column: the first separate `0x…`.
  private static func addressPlace(_ line: Bytes, from start: Int) -> Int? {
    var from = start
    while let found = Bytes(rebasing: line[from...]).offset(of: "0x").map({ $0 + from }) {
      var end = found + 2
      while end < line.count, line[end].isHexDigit { end += 1 }
      let isAlone = found == start || line[found - 1].isSpace
      if isAlone, end - found >= 6, end == line.count || line[end].isSpace { return found }
      from = found + 2
    }
    return nil
  }

  private static let lineEnds = ["<br />", "<br/>", "<br>", "</p>", "</div>", "</pre>", "</code>"]

  /// Parses the text after the address: `symbol + 12 (File.swift:3)`, `0x1000 + 4660 (symbol +
  /// 12)`, or a part of these.
  private static func symbol(in text: Substring) -> (symbol: String, file: String?, line: Int?) {
    var text = text.trimmed[...]
    // HTML tags at the end of a line of a web page.
    while text.hasSuffix(">"), let tag = lineEnds.first(where: text.hasSuffix) {
      text = text.dropLast(tag.utf8.count).trimmed[...]
    }
    if text.hasPrefix("0x"), let open = text.firstIndex(of: "("), text.hasSuffix(")") {
      text = text[text.index(after: open)...].dropLast()
    }
    var file: String?
    var line: Int?
    // A placeholder for a file: `(<compiler-generated>:0)`, `(<stdin>:4368820232)`.
    if text.hasSuffix(")"), let open = text.lastRange(of: " (<"),
      let close = text[open.upperBound...].range(of: ">:"),
      text[close.upperBound...].dropLast().utf8.allSatisfy(\.isDigit)
    {
      if text[open.upperBound..<close.lowerBound] == "compiler-generated" {
        file = "<compiler-generated>"
      }
      text = text[..<open.lowerBound].trimmed[...]
    }
    if text.hasSuffix(")"), let open = text.lastRange(of: " (") {
      if let place = SourcePosition(text[open.upperBound...].dropLast()), place.file.contains(".") {
        (file, line) = (place.file, place.line > 0 ? place.line : nil)
        text = text[..<open.lowerBound]
      }
    }
    if text.hasSuffix(")"), let open = text.lastRange(of: " (in ") {
      text = text[..<open.lowerBound]
    }
    // A symbol that consists of the image's base address carries no name.
    return (text.hasPrefix("0x") ? "" : String(text.withoutOffset), file, line)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first offset of `text`.
  fileprivate func offset(of text: StaticString) -> Int? {
    offset(of: Self(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  fileprivate func text(_ range: Range<Int>) -> String {
    String(decoding: self[range], as: UTF8.self)
  }
}
