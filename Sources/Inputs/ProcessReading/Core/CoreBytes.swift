import Glibc

/// The bytes of a core file; every access is checked against its size.
final class CoreBytes {
  /// The name of the file in messages.
  let name: String
  let size: UInt64
  private let file: CInt

  init(path: String, name: String) throws(ProcessFailure) {
    self.name = name
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      throw ProcessFailure("\(name): cannot be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw ProcessFailure("\(name): is not a regular file")
    }
    size = UInt64(status.st_size)
  }

  deinit { close(file) }

  /// The time of the last modification, in nanoseconds since 1970.
  var written: UInt64 {
    var status = stat()
    guard fstat(file, &status) == 0 else { return 0 }
    return UInt64(clamping: status.st_mtim.tv_sec) &* 1_000_000_000
      &+ UInt64(clamping: status.st_mtim.tv_nsec)
  }

  /// Fills `buffer` from `offset` on; returns the number of bytes read.
  func read(_ offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < buffer.count, offset < size, UInt64(done) < size - offset {
      let count = pread(
        file, buffer.baseAddress! + done, buffer.count - done, off_t(offset + UInt64(done)))
      if count > 0 { done += count } else if count == 0 || errno != EINTR { break }
    }
    return done
  }

  /// The bytes of a range. Throws an error with the offset if the file ends before the range.
  func bytes(_ offset: UInt64, _ count: UInt64, of what: String) throws(ProcessFailure) -> [UInt8] {
    let (end, isBeyond) = offset.addingReportingOverflow(count)
    guard !isBeyond, end <= size else {
      throw ProcessFailure(
        "\(name): \(what) at offset \(offset): needs \(count) bytes, but the file has \(size) bytes: it is "
          + "truncated or not a core file"
      )
    }
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      filled = read(offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}

extension Array<UInt8> {
  /// The little-endian value at an index; nil if the value exceeds the bytes.
  func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at place: Int) -> Value?
  {
    guard place >= 0, place <= count - MemoryLayout<Value>.size else { return nil }
    return withUnsafeBytes {
      Value(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Value.self))
    }
  }
}
