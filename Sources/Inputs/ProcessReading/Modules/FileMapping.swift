/// A mapped range and its position in the mapped file.
struct FileMapping: Hashable, Sendable {
  var region: MemoryRegion
  /// The file offset of the range's first byte.
  var offset: UInt64
  /// The file's inode; 0 for anonymous memory, and if the source of the mapping has no inodes.
  var inode: UInt64 = 0

  /// The file's path when it was mapped. The kernel marks the path of a deleted file, and this
  /// property removes the mark.
  var path: String {
    let mark = " (deleted)"
    return region.path.hasSuffix(mark) ? String(region.path.dropLast(mark.count)) : region.path
  }
}
