import Glibc

/// A file of a test's own, gone with it.
final class Scratch {
  private let path: String

  init() {
    var template = Array("/tmp/report-XXXXXX".utf8CString)
    close(mkstemp(&template))
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { unlink(path) }

  /// Puts `bytes` into the file; returns its path.
  func write(_ bytes: [UInt8]) -> String {
    guard let file = fopen(path, "w") else { return path }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path
  }

  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let got = fread(&piece, 1, piece.count, file), got > 0 { bytes += piece[..<got] }
    return bytes
  }
}
