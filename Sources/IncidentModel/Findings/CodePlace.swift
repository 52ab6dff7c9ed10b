/// A place in somebody's source, as far as it is known.
package struct CodePlace: Hashable, Sendable, Codable {
  package var function: String
  /// The file or module that holds the function.
  package var module: String
  package var file: String?
  package var line: Int?
  /// The line itself, where its file was at hand.
  package var source: String?

  package init(function: String, module: String, file: String? = nil, line: Int? = nil) {
    self.function = function
    self.module = module
    self.file = file
    self.line = line
  }

  /// `File.swift:12`, without directories; nil where no file is known.
  package var shortPosition: String? {
    guard let file else { return nil }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return line.map { "\(name):\($0)" } ?? name
  }
}
