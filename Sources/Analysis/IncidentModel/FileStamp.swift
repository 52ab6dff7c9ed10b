import Glibc

/// Identifies the unchanged file at a path: every change of the file updates `changed`.
package struct FileStamp: Hashable, Sendable {
  package var inode: UInt64
  package var size: UInt64
  /// The modification time, in nanoseconds since 1970.
  package var modified: UInt64
  /// The status change time, in nanoseconds since 1970.
  package var changed: UInt64

  package init(inode: UInt64, size: UInt64, modified: UInt64, changed: UInt64) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  package init(_ status: stat) {
    self.init(
      inode: UInt64(status.st_ino), size: UInt64(status.st_size),
      modified: nanoseconds(status.st_mtim), changed: nanoseconds(status.st_ctim))
  }

  package var bytes: [UInt8] {
    [inode, size, modified, changed].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }
}

private func nanoseconds(_ time: timespec) -> UInt64 {
  UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
    &+ UInt64(truncatingIfNeeded: time.tv_nsec)
}
