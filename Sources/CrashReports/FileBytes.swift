import Glibc

/// A file that is read in pieces.
final class FileBytes {
  let path: String
  let size: UInt64
  private let file: Int32

  init(path: String) throws(ReportReadingError) {
    self.path = path
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw ReportReadingError(
        description: "\(path): cannot be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw ReportReadingError(description: "\(path): is not a regular file")
    }
    size = UInt64(status.st_size)
  }

  deinit { close(file) }

  /// The bytes at `offset`, as many as there are up to `count`.
  func read(at offset: UInt64, count: Int) -> [UInt8] {
    guard offset < size else { return [] }
    let count = min(count, Int(min(size - offset, UInt64(Int.max))))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Fills `buffer` from `offset` on; returns how much there was.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < buffer.count {
      let got = pread(file, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + done)
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { break }
      done += got
    }
    return done
  }
}
