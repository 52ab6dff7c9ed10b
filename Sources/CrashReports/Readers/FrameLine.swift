/// A line of a stack as Apple's tools print it: `4   Image   0x1234 symbol + 12`.
struct FrameLine {
  var number: Int
  var frame: CrashReport.Frame

  /// - Returns: nil where `line` is no frame.
  init?(_ line: some StringProtocol) {
    // A log may have put its own words before the frame.
    var rest = Substring(line).drop { $0.isWhitespace || $0 == ">" || $0 == "|" || $0 == "`" }
    for _ in 0..<5 {
      if let found = Self.parse(rest) {
        self = found
        return
      }
      guard let space = rest.firstIndex(of: " ") else { return nil }
      rest = rest[space...].drop { $0 == " " }
    }
    return nil
  }

  private init(number: Int, frame: CrashReport.Frame) {
    self.number = number
    self.frame = frame
  }

  private static func parse(_ line: Substring) -> FrameLine? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), digits.count <= 4 else { return nil }
    let rest = line.dropFirst(digits.count)
    guard rest.first == " " || rest.first == "\t", let place = addressPlace(in: rest) else {
      return nil
    }
    let image = rest[..<place].trimmed
    let tail = rest[place...]
    let hexadecimal = tail.prefix { !$0.isWhitespace }
    guard let address = UInt64(hexadecimal: hexadecimal), image.count < 256 else { return nil }
    let named = symbol(in: tail.dropFirst(hexadecimal.count))
    var frame = CrashReport.Frame(image: image, address: address)
    (frame.symbol, frame.file, frame.line) = (named.symbol, named.file, named.line)
    return FrameLine(number: number, frame: frame)
  }

  /// Where the address column begins: the first `0x…` that stands by itself.
  private static func addressPlace(in line: Substring) -> String.Index? {
    var from = line.startIndex
    while let found = line[from...].firstRange(of: "0x") {
      let before =
        found.lowerBound > line.startIndex ? line[line.index(before: found.lowerBound)] : " "
      let digits = line[found.upperBound...].prefix { $0.isHexDigit }
      let after = line[digits.endIndex...].first
      if before.isWhitespace, digits.count >= 4, after == nil || after!.isWhitespace {
        return found.lowerBound
      }
      from = found.upperBound
    }
    return nil
  }

  /// `symbol + 12 (File.swift:3)`, `0x1000 + 4660 (symbol + 12)`, or less than these.
  private static func symbol(in text: Substring) -> (symbol: String, file: String?, line: Int?) {
    var text = text.trimmed[...]
    if text.hasPrefix("0x"), let open = text.firstIndex(of: "("), text.hasSuffix(")") {
      text = text[text.index(after: open)...].dropLast()
    }
    var file: String?
    var line: Int?
    if text.hasSuffix("(<compiler-generated>:0)") {
      file = "<compiler-generated>"
      text = text.dropLast("(<compiler-generated>:0)".count).trimmed[...]
    }
    if text.hasSuffix(")"), let open = text.ranges(of: " (").last {
      let position = text[open.upperBound...].dropLast()
      let parts = position.split(separator: ":")
      if parts.count == 2, parts[0].contains("."), let number = Int(parts[1]) {
        (file, line) = (String(parts[0]), number > 0 ? number : nil)
        text = text[..<open.lowerBound]
      }
    }
    if let open = text.ranges(of: " (in ").last, text.hasSuffix(")") {
      text = text[..<open.lowerBound]
    }
    if let plus = text.ranges(of: " + ").last, Int(text[plus.upperBound...]) != nil {
      // A symbol that is no more than the image's base address says nothing.
      if !text.hasPrefix("0x") { text = text[..<plus.lowerBound] }
    }
    return (text.hasPrefix("0x") ? "" : String(text), file, line)
  }
}
