import CLogFormat
import Glibc

/// Random access to the bytes of a log, which is a regular file or in memory.
final class LogBytes {
  private enum Source {
    case file(Int32)
    case memory(UnsafeRawBufferPointer)
  }

  let path: String
  /// The name of the log in messages.
  let name: String
  /// The number of readable bytes.
  let size: UInt64
  let isLargerThanAnyLog: Bool
  private let source: Source
  private var hasWaited = false

  init(path: String, name: String) throws(LogReadingError) {
    var status = stat()
    // The type is checked before the file is opened: opening and closing a pipe would disconnect
    // its writer.
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

  /// Creates a reader of `contents`. The caller owns the memory and must keep it valid.
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

  /// Fills `buffer` with the bytes from `offset` on. Returns the number of bytes read.
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

  /// The value of type `T` at `offset`; nil if the log ends before the end of the value.
  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: UInt64) throws(LogReadingError) -> T? {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment)
    defer { bytes.deallocate() }
    guard try read(into: bytes, at: offset) == bytes.count else { return nil }
    return bytes.load(as: T.self)
  }

  /// True if the path still refers to this file.
  var isAtItsPath: Bool {
    guard case .file(let file) = source else { return true }
    var own = stat()
    var found = stat()
    return fstat(file, &own) == 0 && stat(path, &found) == 0 && own.st_ino == found.st_ino
      && own.st_dev == found.st_dev
  }

  /// True if a process holds the writer's lock.
  var isBeingWritten: Bool {
    guard case .file(let file) = source else { return false }
    if flock(file, LOCK_SH | LOCK_NB) == 0 {
      flock(file, LOCK_UN)
      return false
    }
    return errno == EWOULDBLOCK
  }

  /// Waits briefly for the writer's lock to be released, once per reader. A tool that inspects a
  /// dying process, such as `ps`, keeps the process's memory alive, and with it the lock.
  func isGivenUpSoon() -> Bool {
    for _ in 0..<(hasWaited ? 0 : 100) {
      if !isBeingWritten { return true }
      usleep(2_000)
    }
    hasWaited = true
    return false
  }
}

/// The reason why a file cannot be read as a breadcrumb log.
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
      "\(path): is not a breadcrumb log: found neither a header at offset 0 nor a chunk"
    case .otherVersion(let path, let version):
      "\(path): is a log of version \(version) (at offset 8); this reader supports versions up to \(LogReader.formatVersion)"
    }
  }
}
