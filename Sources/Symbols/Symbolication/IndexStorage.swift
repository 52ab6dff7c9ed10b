import Glibc

/// The owner of the memory of a block of tables: anonymous memory, or a file mapped for reading.
final class IndexStorage {
  /// The bytes, valid as long as this object exists: a value that stores the pointer must also store the
  /// owner.
  let bytes: UnsafeRawBufferPointer

  /// Takes ownership of an allocated block.
  init(allocated: UnsafeMutableRawBufferPointer) { bytes = UnsafeRawBufferPointer(allocated) }

  /// Allocates memory for a block.
  static func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    let base = mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let base, base != MAP_FAILED else { fatalError("not enough memory for a symbol index") }
    // The first access to a page costs more than all work on the page.
    madvise(base, byteCount, MADV_HUGEPAGE)
    return UnsafeMutableRawBufferPointer(start: base, count: byteCount)
  }

  /// Maps a whole file for reading; nil if the file is empty or cannot be mapped.
  init?(mapping file: RegularFile) {
    // Populated at once, because the checksum reads the whole file in any case.
    guard file.size > 0,
      let base = mmap(
        nil, file.size, PROT_READ, MAP_PRIVATE | CInt(MAP_POPULATE), file.descriptor, 0),
      base != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: base, count: file.size)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}

extension IndexStorage {
  /// Writes a temporary file and renames it, so that readers never see a partial file. Returns the error
  /// number; nil on success.
  func write(to path: String, mode: mode_t) -> CInt? {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { return errno }
    var failure = writeAll(to: descriptor)
    close(descriptor)
    if failure == nil, rename(temporary, path) != 0 { failure = errno }
    if failure != nil { unlink(temporary) }
    return failure
  }

  private func writeAll(to descriptor: CInt) -> CInt? {
    var rest = bytes
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return written < 0 ? errno : ENOSPC }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
    return nil
  }
}
