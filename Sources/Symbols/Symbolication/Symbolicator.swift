import IncidentModel

/// Converts addresses to functions, files and lines.
///
/// A module's files are opened at the first lookup of one of its addresses, and used only if their build
/// matches. The result is cached as a flat index, also for later runs.
package struct Symbolicator {
  let finder: ModuleFinder
  private let cache: IndexCache?
  /// The key of a module's file: the index of a module that was loaded at several addresses is read once.
  private struct FileKey: Hashable {
    var path: String
    var buildID: [UInt8]
    var keptCopy: String?
  }

  private var modules: [FileKey: LoadedModule] = [:]
  /// True if the names of a module are from an earlier report, because its file is gone or has less
  /// information.
  package private(set) var usesKeptIndexes = false

  /// Creates a symbolicator.
  ///
  /// - Parameters:
  ///   - symbolDirectories: Directories or files to search, in addition to the module's own path, for the files
  ///     of modules and bundles of their symbols.
  ///   - cacheDirectory: The directory of the index cache; nil for no cache.
  package init(
    symbolDirectories: [String] = [], cacheDirectory: String? = Symbolicator.defaultCacheDirectory
  ) {
    finder = ModuleFinder(places: symbolDirectories)
    cache = cacheDirectory.map { IndexCache(directory: $0) }
  }

  /// The functions at an address, innermost first; empty if unknown.
  package mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    loaded(module).frames(at: address, bias: module.loadBias)
  }

  /// The functions at each of many addresses of a module, in the same order.
  package mutating func frames(
    at addresses: [FrameAddress], in module: Module
  ) -> [[SourceFrame]] {
    loaded(module).frames(at: addresses, bias: module.loadBias)
  }

  /// The source of a module's symbols, or the reason why it has none.
  package mutating func moduleStatus(of module: Module) -> ModuleStatus { loaded(module).status }

  private mutating func loaded(_ module: Module) -> LoadedModule {
    let key = FileKey(path: module.path, buildID: module.identity, keptCopy: module.keptCopy)
    if let loaded = modules[key] { return loaded }
    let loaded = LoadedModule(module, finder: finder, cache: cache)
    modules[key] = loaded
    if case .kept = loaded.status { usesKeptIndexes = true }
    return loaded
  }
}
