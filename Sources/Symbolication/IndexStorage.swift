import Glibc

/// Owns the memory of an index: a block of its own, or a mapped file.
final class IndexStorage {
  /// Must not outlive its owner: whoever passes it on keeps the owner with it.
  let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Takes over a block that was allocated.
  init(allocated: UnsafeMutableRawBufferPointer) {
    bytes = UnsafeRawBufferPointer(allocated)
    isMapped = false
  }

  /// Maps a whole file for reading; nil when it is empty or cannot be mapped.
  init?(mapping file: RegularFile) {
    guard file.size > 0,
      let base = mmap(nil, file.size, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
      base != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: base, count: file.size)
    isMapped = true
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      bytes.deallocate()
    }
  }
}
