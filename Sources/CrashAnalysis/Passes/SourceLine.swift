import Glibc
import IncidentModel

/// The line of source that a place names, where its file is at hand.
package enum SourceLine {
  private static let most = 4 << 20
  private static let kinds = ["swift", "c", "cc", "cpp", "cxx", "h", "hpp", "m", "mm"]

  /// The place with its line of source, where that can be found.
  static func added(to place: CodePlace) -> CodePlace {
    var place = place
    place.source = place.source ?? find(place)
    return place
  }

  /// A few lines of source.
  package struct Excerpt: Hashable, Sendable {
    /// The number of the first one.
    package var first: Int
    package var lines: [String]
  }

  /// The lines around the one that a place names, with their indentation; nil where the file is no
  /// source, not at hand, too large or too short.
  package static func excerpt(around place: CodePlace, margin: Int) -> Excerpt? {
    guard let path = place.file, let line = place.line, line > 0, line < 1 << 30 else { return nil }
    guard let lines = lines(of: path, upTo: line + margin), line <= lines.count else { return nil }
    let first = max(1, line - margin)
    return Excerpt(
      first: first,
      lines: lines[(first - 1)..<min(lines.count, line + margin)].map {
        String(decoding: $0.prefix(200), as: UTF8.self)
      })
  }

  /// - Returns: the line without its indentation; nil where the file is no source, not at hand, too
  ///   large or too short.
  private static func find(_ place: CodePlace) -> String? {
    guard let path = place.file, let line = place.line, line > 0, line < 1 << 30,
      let lines = lines(of: path, upTo: line), line <= lines.count
    else { return nil }
    let found = lines[line - 1].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return found.isEmpty ? nil : String(decoding: found.prefix(200), as: UTF8.self)
  }

  /// The file's first lines, and perhaps what follows them in one piece; nil where it is no source.
  private static func lines(of path: String, upTo line: Int) -> [ArraySlice<UInt8>]? {
    guard path.hasPrefix("/"), let kind = path.split(separator: ".").last,
      kinds.contains(String(kind)), let text = contents(of: path)
    else { return nil }
    return text.split(
      separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
  }

  private static func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= most
    else { return nil }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
  }
}
