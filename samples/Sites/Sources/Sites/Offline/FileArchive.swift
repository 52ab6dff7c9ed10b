import Foundation

/// Keeps bytes by name in the files of one folder: each is read whole and unharmed, or not at all.
///
/// A file is written beside its place and moved there, so that a process that dies leaves the old one.
/// What a disk or another program has damaged is known by its checksum, thrown away, and fetched anew.
final class FileArchive: Sendable {
  private let folder: URL
  private let limit: Int
  /// Files are written one after the other, so that two do not make room at once.
  private let lock = NSLock()

  /// Keeps at most `limit` bytes in `folder`, which is made when it is needed; what it is in must be
  /// there.
  init(folder: URL, limit: Int = .max) {
    self.folder = folder
    self.limit = limit
  }

  /// Keeps `bytes`; whatever has not been asked for longest makes room. A full disk is no error: what
  /// is not kept is fetched again.
  func save(_ bytes: Data, as name: String) {
    let content = ArchivedFile(name: name, bytes: bytes).content
    guard content.count <= limit else { return }
    lock.withLock {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try? content.write(to: file(name), options: .atomic)
      makeRoom()
    }
  }

  /// What was kept under a name, if it is still there and unharmed.
  func bytes(of name: String) -> Data? {
    let file = file(name)
    guard let content = try? Data(contentsOf: file) else { return nil }
    guard let archived = ArchivedFile(content: content), archived.name == name else {
      try? FileManager.default.removeItem(at: file)
      return nil
    }
    // Its date says when it was last of use.
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
    return archived.bytes
  }

  /// Names may be addresses of any length, so files are named by their hash.
  private func file(_ name: String) -> URL {
    folder.appending(path: String(ArchivedFile.hash(name.utf8), radix: 16))
  }

  private func makeRoom() {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: Array(keys))
    let known = (files ?? []).compactMap { file -> (file: URL, size: Int, date: Date)? in
      guard let values = try? file.resourceValues(forKeys: keys) else { return nil }
      return (file, values.fileSize ?? 0, values.contentModificationDate ?? .distantPast)
    }
    var total = known.reduce(0) { $0 + $1.size }
    for oldest in known.sorted(by: { $0.date < $1.date }) where total > limit {
      try? FileManager.default.removeItem(at: oldest.file)
      total -= oldest.size
    }
  }
}
