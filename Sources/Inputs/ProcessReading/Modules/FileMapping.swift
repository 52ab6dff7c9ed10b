/// A mapped range and the part of a file that it shows.
struct FileMapping: Hashable, Sendable {
  var region: MemoryRegion
  /// Offset in the file of the range's first byte.
  var offset: UInt64
  /// The file's inode; 0 for anonymous memory, and where an input does not tell.
  var inode: UInt64 = 0

  /// The file's path when it was mapped. The kernel marks that of a file that was unlinked since.
  var path: String {
    let mark = " (deleted)"
    return region.path.hasSuffix(mark) ? String(region.path.dropLast(mark.count)) : region.path
  }
}
