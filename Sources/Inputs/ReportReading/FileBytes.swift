import Glibc

/// A file that is read in pieces, or converted contents in memory.
final class FileBytes {
  private enum Content {
    case file(Int32)
    case memory([UInt8])
  }

  let size: UInt64
  private let content: Content

  init(path: String) throws(ReportReadingError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw ReportReadingError(
        description: "\(path): cannot be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw ReportReadingError(description: "\(path): is not a regular file")
    }
    content = .file(file)
    size = UInt64(status.st_size)
  }

  init(_ bytes: [UInt8]) {
    content = .memory(bytes)
    size = UInt64(bytes.count)
  }

  deinit {
    if case .file(let file) = content { close(file) }
  }

  var all: [UInt8] {
    if case .memory(let bytes) = content { return bytes }
    return read(at: 0, count: Int(clamping: size))
  }

  /// Returns the offset of the first line feed at or after `offset`; the size if no line feed
  /// follows.
  func endOfLine(from offset: UInt64) -> UInt64 {
    var at = offset
    while at < size {
      let piece = read(at: at, count: 1 << 18)
      if piece.isEmpty { break }
      if let end = piece.firstIndex(of: 10) { return at + UInt64(end) }
      at += UInt64(piece.count)
    }
    return size
  }

  /// Reads at most `count` bytes at `offset`; returns fewer bytes at the end of the file.
  func read(at offset: UInt64, count: Int) -> [UInt8] {
    guard offset < size else { return [] }
    let count = min(count, Int(min(size - offset, UInt64(Int.max))))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Fills `buffer` from `offset` on; returns the number of bytes read.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch content {
    case .memory(let bytes):
      guard offset < size else { return 0 }
      let piece = bytes[Int(offset)...].prefix(buffer.count)
      buffer.copyBytes(from: piece)
      return piece.count
    case .file(let file):
      var done = 0
      while done < buffer.count {
        let got = pread(
          file, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + done)
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { break }
        done += got
      }
      return done
    }
  }
}
