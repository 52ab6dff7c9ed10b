import Glibc

/// A cache of the indexes of modules from one run to the next, by build id: a file with the index, and a file
/// with the readable names.
///
/// The cache can be deleted at any time. A file that is damaged, truncated or of another version is
/// rewritten; a cache directory without write permission is ignored.
struct IndexCache {
  let directory: String

  /// The cached index of a build; nil if no index is cached, or the index differs from the source in
  /// richness.
  func index(buildID: [UInt8], source: ModuleFacts) -> SymbolIndex? {
    guard let storage = storage(path(buildID, .index)), let index = SymbolIndex(storage),
      index.header.richness == source.richness, index.buildID.elements == buildID
    else { return nil }
    return index
  }

  /// The cached readable names of an index; nil if no names are cached.
  func names(of index: SymbolIndex) -> ReadableNames? {
    guard let storage = storage(path(index.buildID.elements, .names)) else { return nil }
    return ReadableNames(storage, of: index)
  }

  func keep(_ index: SymbolIndex) { keep(index.storage, at: path(index.buildID.elements, .index)) }

  func keep(names: IndexStorage, of index: SymbolIndex) {
    keep(names, at: path(index.buildID.elements, .names))
  }

  private enum Kind: String { case index = "symbols", names }

  private func path(_ buildID: [UInt8], _ kind: Kind) -> String {
    "\(directory)/\(hex(buildID)).\(kind.rawValue)"
  }

  private func storage(_ path: String) -> IndexStorage? {
    (try? RegularFile(path: path)).flatMap { IndexStorage(mapping: $0) }
  }

  private func keep(_ block: IndexStorage, at path: String) {
    makeDirectories()
    _ = block.write(to: path, mode: 0o600)
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
