import IncidentModel

/// The Swift function that contains a line, found in the source.
struct SourceFunction {
  /// The function's declaration, in one line.
  let header: String
  /// The name as in symbols: `Suppliers.price(of:)`; nil if the declaration does not determine the
  /// name.
  let name: String?
  private let base: String

  /// Finds the function; nil if the source is not available, or if the line is in no function.
  init?(around place: CodePlace) {
    guard let path = place.file, path.hasSuffix(".swift"), let line = place.line,
      let text = SwiftFiles.shared.text(at: path), let byte = text.beginning(ofLine: line)
    else { return nil }
    let lineEnd = text.range(ofLine: line).upperBound
    let around = text.blocks.filter { byte <= $0.close && $0.headerStart <= lineEnd }
      .sorted { $0.open > $1.open }
    guard let place = around.firstIndex(where: { [.function, .accessor].contains($0.kind) }) else {
      return nil
    }
    let block = around[place]
    let words = text.text(block.headerStart..<block.open).split(whereSeparator: \.isWhitespace)
    header = words.joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
    let type = around[(place + 1)...].first { $0.kind == .type }.flatMap {
      Self.type(in: $0.header)
    }
    let declared = block.kind == .function ? Self.function(in: header) : nil
    base = declared?.base ?? ""
    name = declared.map { (type.map { $0 + "." } ?? "") + $0.base + "(" + $0.labels + ")" }
  }

  /// True if a symbol names this function, or if the two cannot be distinguished.
  func isNamed(in symbol: String) -> Bool {
    if base.isEmpty || name == nil { return true }
    let written = FunctionName(symbol).written
    return written.isEmpty || written.contains(base)
  }

  private static func type(in header: Substring) -> String? {
    let words = SwiftHeader.declaration(header)
    guard words.count > 1 else { return nil }
    let name = words[1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return name.isEmpty ? nil : String(name)
  }

  private static func function(in header: String) -> (base: String, labels: String)? {
    guard let keyword = header.firstRange(of: "func ") else { return nil }
    let rest = header[keyword.upperBound...]
    let base = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard !base.isEmpty, let open = rest.firstIndex(of: "(") else { return nil }
    var labels = ""
    var depth = 0
    var label = ""
    var isName = true
    var last: Character = " "
    for character in rest[open...] {
      defer { last = character }
      switch character {
      case ">" where last == "-": continue
      case "(", "[", "<":
        depth += 1
        continue
      case ")", "]", ">":
        depth -= 1
        if depth == 0 { return (String(base), labels) }
      case _ where depth > 1: continue
      case ":" where isName:
        let word = label.split(separator: " ").first.map(String.init) ?? "_"
        labels += word + ":"
        isName = false
      case ",":
        label = ""
        isName = true
      case _ where isName: label.append(character)
      default: continue
      }
    }
    return nil
  }
}
