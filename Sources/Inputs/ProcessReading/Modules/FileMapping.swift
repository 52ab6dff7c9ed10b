/// A mapped range and the part of a file that it shows.
struct FileMapping: Hashable, Sendable {
  var region: MemoryRegion
  /// Where the range begins in the file, in bytes.
  var offset: UInt64
  /// The file's inode; 0 for anonymous memory, and where an input does not tell.
  var inode: UInt64 = 0

  /// What the kernel appends to the path of a file that was unlinked.
  static let deleted = " (deleted)"
}
