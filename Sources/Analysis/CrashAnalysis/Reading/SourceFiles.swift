import Glibc
import Synchronization

/// A cache of source files, so that many findings in one file read the file once.
///
/// A log may name any files, so the total number of bytes read is bounded.
final class SourceFiles: Sendable {
  /// A file's bytes and line offsets.
  struct Text: Sendable {
    let bytes: [UInt8]
    let starts: [UInt32]
    /// The time of the last modification, in nanoseconds since 1970.
    let modified: UInt64

    /// The line, counted from 1; nil beyond the end.
    subscript(line: Int) -> ArraySlice<UInt8>? {
      guard line > 0, line <= starts.count else { return nil }
      let end = line < starts.count ? Int(starts[line]) - 1 : bytes.count
      return bytes[Int(starts[line - 1])..<end]
    }

    var lineCount: Int { starts.count }
  }

  private struct State {
    var texts: [String: Text?] = [:]
    var kept = 0
    var read = 0
  }

  static let shared = SourceFiles()

  private static let kinds: Set = ["swift", "c", "cc", "cpp", "cxx", "h", "hpp", "m", "mm"]
  /// The limits in bytes: per file, of the cache, and of all reads.
  private static let most = 4 << 20, mostKept = 16 << 20, mostRead = 256 << 20
  private static let mostFiles = 4096

  private let state = Mutex(State())

  /// Returns the text at a path; nil if it is not a source file, not available or too large, if it
  /// is newer than the program that is being analyzed, or if the read limit is reached.
  func text(at path: String) -> Text? {
    guard let text = available(at: path) else { return nil }
    let isOfBuild = BuildTime.current?.covers(path, modified: text.modified) ?? true
    return isOfBuild ? text : nil
  }

  private func available(at path: String) -> Text? {
    guard path.hasPrefix("/"), let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")),
      Self.kinds.contains(String(path[path.utf8.index(after: dot)...]))
    else { return nil }
    return state.withLock { state in
      if let known = state.texts[path] { return known }
      guard state.read < Self.mostRead else { return nil }
      let text = Self.read(path)
      let size = text?.bytes.count ?? 0
      // A lookup of a missing file counts as 4 KiB, because it costs time too.
      state.read += max(size, 1 << 12)
      if state.kept + size > Self.mostKept || state.texts.count >= Self.mostFiles {
        state.texts = [:]
        state.kept = 0
      }
      state.kept += size
      state.texts[path] = .some(text)
      return text
    }
  }

  private static func read(_ path: String) -> Text? {
    guard let (bytes, modified) = contents(of: path) else { return nil }
    var starts: [UInt32] = [0]
    for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(UInt32(place + 1))
    }
    return Text(bytes: bytes, starts: starts, modified: modified)
  }

  private static func contents(of path: String) -> ([UInt8], modified: UInt64)? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= most
    else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
    }
    return (bytes, BuildTime.nanoseconds(status.st_mtim))
  }
}
