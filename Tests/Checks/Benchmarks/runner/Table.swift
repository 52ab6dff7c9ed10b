/// The results as lines of text, with columns that line up.
struct Table {
  private static let header = ["", "unit", "ours", "peer", "", "ratio", "aim", "met", "spread"]
  private static let leftAligned: Set = [0, 1, 4]
  private var lines: [[String]] = [Self.header]

  mutating func append(_ result: Result) {
    lines.append([
      result.name, result.unit, Self.text(result.ours), Self.text(result.peer),
      result.peerName ?? "", Self.text(result.ratio, digits: 3),
      result.aim.map { "≤ \(Self.text($0))" } ?? "",
      result.met.map { $0 ? "yes" : "NO" } ?? "", "±\(Int((result.spread * 100).rounded())) %",
    ])
  }

  var text: String {
    let widths = Self.header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = zip(line, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return Self.leftAligned.contains(column) ? cell.0 + padding : padding + cell.0
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  /// Three or four digits, thousands set apart.
  private static func text(_ value: Double?, digits: Int = 3) -> String {
    guard let value else { return "" }
    let rounded = value.rounded(toDigits: digits)
    guard rounded.magnitude < 1_000 else { return grouped(Int(rounded)) }
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }

  private static func grouped(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map {
      String(digits[max(0, $0 - 3)..<$0])
    }
    return (value < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}
