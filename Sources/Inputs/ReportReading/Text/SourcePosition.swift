/// A position in a source file: `src/oven.rs:41`, `C:\src\oven.rs:41:21`.
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

  /// Parses the form of Windows' debuggers: `C:\src\oven.cpp @ 41`.
  init?(windows text: some StringProtocol) {
    guard let mark = text.range(of: " @ "), let line = Int(text[mark.upperBound...]) else {
      return nil
    }
    (file, self.line) = (String(text[..<mark.lowerBound]), line)
  }

  /// The file without its folders.
  var name: String { Self.name(of: file) }

  static func name(of file: String) -> String {
    file.split { "/\\".contains($0) }.last.map(String.init) ?? file
  }
}

extension CrashReport.Frame {
  /// Sets the file and the line. The line 0 stands for no line.
  mutating func take(_ position: SourcePosition) {
    file = position.file
    line = position.line == 0 ? nil : position.line
  }
}
