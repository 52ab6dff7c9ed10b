import Glibc

/// Reads files whose size is unknown until they are read, such as those below `/proc`.
package enum ProcessFiles {
  /// The content of a file, or its first `most` bytes; nil, with `errno` set, if the file cannot be
  /// read. The default allows for the lists whose length a process controls: a million mappings take
  /// about 100 MB.
  package static func read(_ path: String, atMost most: Int = 256 << 20) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer {
      let code = errno
      close(file)
      errno = code
    }
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while content.count < most {
      let count = Glibc.read(file, &piece, min(piece.count, most - content.count))
      if count == 0 { break }
      if count > 0 { content += piece.prefix(count) } else if errno != EINTR { return nil }
    }
    return content
  }

  /// The content of a file as text, without the trailing line feed.
  package static func text(_ path: String) -> String? {
    guard var content = read(path) else { return nil }
    if content.last == UInt8(ascii: "\n") { content.removeLast() }
    return String(decoding: content, as: UTF8.self)
  }

  /// The names in a directory, in the kernel's order; empty if the directory cannot be read.
  package static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The target of a symbolic link; nil if the link cannot be read.
  package static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes {
      readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
