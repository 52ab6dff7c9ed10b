import Glibc

/// A file that is read at offsets; only ever a regular one.
final class LogBytes {
  let path: String
  let size: UInt64
  private let file: Int32

  init(path: String) throws(LogReadingError) {
    self.path = path
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .cannotOpen(path: path, errorNumber: errno) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(file)
      throw .notRegular(path: path)
    }
    size = UInt64(status.st_size)
  }

  deinit { Glibc.close(file) }

  /// Fills as much of `buffer` as the file has from `offset` on; the number of bytes.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(LogReadingError) -> Int {
    var done = 0
    while done < buffer.count {
      let got = pread(
        file, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else {
        throw .cannotRead(path: path, offset: offset + UInt64(done), errorNumber: errno)
      }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// The value of type `T` at `offset`; nil where the file ends before it does.
  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: UInt64) throws(LogReadingError) -> T? {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment)
    defer { bytes.deallocate() }
    guard try read(into: bytes, at: offset) == bytes.count else { return nil }
    return bytes.load(as: T.self)
  }

  /// Whether a process holds the writer's lock.
  var isBeingWritten: Bool {
    if flock(file, LOCK_SH | LOCK_NB) == 0 {
      flock(file, LOCK_UN)
      return false
    }
    return errno == EWOULDBLOCK
  }
}
