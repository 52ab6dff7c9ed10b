import Foundation
import IncidentModel

/// A cache of the indexes of modules from one run to the next, by build id: a file with the index, and a file
/// with the readable names.
///
/// The cache can be deleted at any time. A file that is damaged, truncated or of another version is
/// rewritten; a cache directory without write permission is ignored. Files that were not used for the
/// longest time are removed.
struct IndexCache {
  let directory: String
  /// The maximum size of all files together, in bytes.
  var limit = 512 << 20

  /// The cached index of a module's build; nil if no index is cached.
  func index(of module: Module) -> SymbolIndex? {
    let path = path(module.identity, .index)
    guard !module.identity.isEmpty, let storage = storage(path), let index = SymbolIndex(storage),
      index.buildID.elements == module.identity
    else { return nil }
    utimensat(AT_FDCWD, path, nil, 0)  // the time of the last use
    return index
  }

  /// The cached readable names of an index; nil if no names are cached.
  func names(of index: SymbolIndex) -> ReadableNames? {
    guard let storage = storage(path(index.buildID.elements, .names)) else { return nil }
    return ReadableNames(storage, of: index)
  }

  func keep(_ index: SymbolIndex) {
    keep(index.storage, at: path(index.buildID.elements, .index))
  }

  func keep(names: IndexStorage, of index: SymbolIndex) {
    keep(names, at: path(index.buildID.elements, .names))
  }

  private enum Kind: String, CaseIterable { case index = "symbols", names }

  private func path(_ buildID: [UInt8], _ kind: Kind) -> String {
    "\(directory)/\(hex(buildID)).\(kind.rawValue)"
  }

  private func storage(_ path: String) -> IndexStorage? {
    (try? RegularFile(path: path)).flatMap { IndexStorage(mapping: $0) }
  }

  private func keep(_ block: IndexStorage, at path: String) {
    makeDirectories()
    _ = block.write(to: path, mode: 0o600)
    removeOldest()
  }

  /// Removes the files that were not used for the longest time, until the others fit within the limit.
  private func removeOldest() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let files = names.compactMap { name -> (path: String, stamp: FileStamp)? in
      let path = "\(directory)/\(name)"
      var status = stat()
      guard Kind.allCases.contains(where: { name.hasSuffix(".\($0.rawValue)") }),
        lstat(path, &status) == 0
      else { return nil }
      return (path, FileStamp(status))
    }
    var room = limit
    for file in files.sorted(by: { $0.stamp.modified > $1.stamp.modified }) {
      room -= Int(clamping: file.stamp.size)
      if room < 0 { unlink(file.path) }
    }
  }

  private func makeDirectories() {
    var path = ""
    for part in directory.split(separator: "/") {
      path += "/\(part)"
      mkdir(path, 0o700)
    }
  }
}

extension Symbolicator {
  /// The directory `$XDG_CACHE_HOME/mainstay`, else `~/.cache/mainstay`; nil if neither variable is set.
  package static var defaultCacheDirectory: String? {
    func absolute(_ name: String) -> String? {
      guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else {
        return nil
      }
      return value
    }
    let home = absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { "\($0)/.cache" }
    return home.map { "\($0)/mainstay" }
  }
}
