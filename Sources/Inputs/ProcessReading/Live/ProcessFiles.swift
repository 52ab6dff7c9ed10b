import Glibc

/// Files below `/proc`, whose size is known only once they are read.
enum ProcessFiles {
  /// A bound for what a process can make the kernel list: a million mappings take about 100 MB.
  private static let mostBytes = 256 << 20

  /// The content of a file; nil, with `errno` set, if it cannot be read.
  static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer {
      let code = errno
      close(file)
      errno = code
    }
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while content.count < mostBytes {
      let count = Glibc.read(file, &piece, piece.count)
      if count == 0 { return content }
      if count > 0 { content += piece.prefix(count) } else if errno != EINTR { return nil }
    }
    return content
  }

  /// The content of a file as text, without the line feed at its end.
  static func text(_ path: String) -> String? {
    guard var content = read(path) else { return nil }
    if content.last == UInt8(ascii: "\n") { content.removeLast() }
    return String(decoding: content, as: UTF8.self)
  }
}
