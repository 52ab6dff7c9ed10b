import IncidentModel

/// Reads source lines, if the file is available.
package enum SourceLine {
  /// Returns the place with its source line and function header, if they can be found.
  static func added(to place: CodePlace) -> CodePlace {
    var place = place
    place.source = place.source ?? find(place)
    if place.header == nil, let function = SourceFunction(around: place) {
      place.header = function.header
      if !function.isNamed(in: place.function) { place.written = function.name }
    }
    return place
  }

  /// Consecutive lines of a source file.
  package struct Excerpt: Hashable, Sendable {
    /// The number of the first line.
    package var first: Int
    package var lines: [String]
  }

  /// Returns the lines around a place that has its source line, with their indentation; nil if the
  /// file no longer has that line there.
  package static func excerpt(around place: CodePlace, margin: Int) -> Excerpt? {
    guard let path = place.file, let line = place.line, let source = place.source,
      find(place) == source, let text = SourceFiles.shared.text(at: path)
    else { return nil }
    let shown = max(1, line - margin)...min(text.lineCount, line + margin)
    return Excerpt(
      first: shown.lowerBound,
      lines: shown.compactMap { text[$0] }.map { String(decoding: $0.prefix(200), as: UTF8.self) })
  }

  /// Finds the source line of a place.
  ///
  /// - Returns: The line without its indentation; nil if the file is not a source file, not
  ///   available, too large or too short.
  private static func find(_ place: CodePlace) -> String? {
    guard let path = place.file, let line = place.line,
      let text = SourceFiles.shared.text(at: path)?[line]
    else { return nil }
    let found = text.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return found.isEmpty ? nil : String(decoding: found.prefix(200), as: UTF8.self)
  }
}
