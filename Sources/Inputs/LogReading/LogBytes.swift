import CLogFormat
import Glibc

/// A log's bytes, read at offsets: of a regular file, or in memory.
final class LogBytes {
  private enum Source {
    case file(Int32)
    case memory(UnsafeRawBufferPointer)
  }

  let path: String
  /// The name in messages.
  let name: String
  /// The maximum number of bytes to read.
  let size: UInt64
  let isLargerThanAnyLog: Bool
  private let source: Source
  private var hasWaited = false

  init(path: String, name: String) throws(LogReadingError) {
    var status = stat()
    // A pipe that is opened to look at it, and closed, has lost its writer.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw .notRegular(path: name)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .cannotOpen(path: name, errorNumber: errno) }
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(file)
      throw .notRegular(path: name)
    }
    self.path = path
    self.name = name
    source = .file(file)
    let largest = UInt64(1) << 36
    size = min(UInt64(status.st_size), largest)
    isLargerThanAnyLog = UInt64(status.st_size) > largest
  }

  /// The bytes stay the caller's, and in place while this is used.
  init(contents: UnsafeRawBufferPointer, name: String) {
    path = name
    self.name = name
    source = .memory(contents)
    size = UInt64(contents.count)
    isLargerThanAnyLog = false
  }

  deinit {
    if case .file(let file) = source { Glibc.close(file) }
  }

  /// Fills as much of `buffer` as there is from `offset` on; the number of bytes.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(LogReadingError) -> Int {
    defer { ms_read_in_order() }
    switch source {
    case .file(let file): return try read(file, into: buffer, at: offset)
    case .memory(let contents):
      guard offset < size else { return 0 }
      let end = min(Int(offset) + buffer.count, contents.count)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: contents[Int(offset)..<end]))
      return end - Int(offset)
    }
  }

  private func read(
    _ file: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(LogReadingError) -> Int {
    var done = 0
    while done < buffer.count {
      let got = pread(
        file, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else {
        throw .cannotRead(path: name, offset: offset + UInt64(done), errorNumber: errno)
      }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// The value of type `T` at `offset`; nil if the bytes end before it does.
  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: UInt64) throws(LogReadingError) -> T? {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment)
    defer { bytes.deallocate() }
    guard try read(into: bytes, at: offset) == bytes.count else { return nil }
    return bytes.load(as: T.self)
  }

  /// Whether its path still leads to this file, and not to another that has taken its place.
  var isAtItsPath: Bool {
    guard case .file(let file) = source else { return true }
    var own = stat()
    var found = stat()
    return fstat(file, &own) == 0 && stat(path, &found) == 0 && own.st_ino == found.st_ino
      && own.st_dev == found.st_dev
  }

  /// Whether a process holds the writer's lock.
  var isBeingWritten: Bool {
    guard case .file(let file) = source else { return false }
    if flock(file, LOCK_SH | LOCK_NB) == 0 {
      flock(file, LOCK_UN)
      return false
    }
    return errno == EWOULDBLOCK
  }

  /// Waits briefly, once per reader, for the lock to be released. A tool that inspects a dying process, such as
  /// `ps`, keeps the process's memory, and with it the lock, until it is finished.
  func isGivenUpSoon() -> Bool {
    for _ in 0..<(hasWaited ? 0 : 100) {
      if !isBeingWritten { return true }
      usleep(2_000)
    }
    hasWaited = true
    return false
  }
}

/// Why a file could not be read as a breadcrumb log at all.
package enum LogReadingError: Error, CustomStringConvertible, Sendable {
  case cannotOpen(path: String, errorNumber: Int32)
  case notRegular(path: String)
  case cannotRead(path: String, offset: UInt64, errorNumber: Int32)
  case notALog(path: String)
  case otherVersion(path: String, version: UInt32)

  package var description: String {
    switch self {
    case .cannotOpen(let path, let number):
      "\(path): cannot be opened: \(String(cString: strerror(number)))"
    case .notRegular(let path): "\(path): is not a regular file"
    case .cannotRead(let path, let offset, let number):
      "\(path): cannot be read at offset \(offset): \(String(cString: strerror(number)))"
    case .notALog(let path):
      "\(path): is not a breadcrumb log: neither a header at offset 0 nor a chunk was found"
    case .otherVersion(let path, let version):
      "\(path): is a log of version \(version) (at offset 8); this reader supports version \(LogReader.formatVersion)"
    }
  }
}
