/// A position in a source file: `src/oven.rs:41`, `src/oven.rs:41:21`.
struct SourcePosition {
  var file: String
  var line: Int

  /// - Returns: nil if the text does not end in a line number.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = Int(parts[parts.count - 1]) else { return nil }
    let line = parts.count > 2 ? Int(parts[parts.count - 2]) : nil
    self.line = line ?? last
    file = parts.dropLast(line == nil ? 1 : 2).joined(separator: ":")
    if file.isEmpty { return nil }
  }

  /// The file without its folders.
  var name: String { file.split { "/\\".contains($0) }.last.map(String.init) ?? file }
}
