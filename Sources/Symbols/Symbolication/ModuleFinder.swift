import IncidentModel

/// Finds the files that describe a module: the module itself, its separate debug files, and bundles of its
/// symbols. Downloads nothing.
struct ModuleFinder {
  /// The directories and files with symbols that the user specified.
  private let places: [String]
  private let folders: [SymbolFolder]
  var systemDirectory = "/usr/lib/debug"

  init(places: [String]) {
    self.places = places
    folders = places.map { SymbolFolder(path: $0) }
  }

  /// A file of the requested build.
  struct Found {
    var path: String
    var content: ModuleContent
  }

  /// Returns the richest file of the module's build: with debug information, otherwise with a symbol table.
  /// If no file is found, throws the reason why the module's own file is unusable.
  func find(_ module: Module) throws(ModuleStatus) -> Found {
    guard !module.identity.isEmpty else { throw .noBuildID }
    var best: Found?
    var failure = ModuleStatus.notFound
    var debugLink: String?
    for path in ownPaths(of: module) {
      do throws(ModuleStatus) {
        let found = try open(path, of: module)
        debugLink = debugLink ?? found.content.debugLink
        best = richer(found, best)
        if found.content.hasDebugInfo { break }
      } catch {
        if failure == .notFound { failure = error }
      }
    }
    // Files with arbitrary names come last, because each of these files has to be opened.
    for paths in [debugPaths(of: module, link: debugLink), folders.flatMap(\.paths)] {
      for path in paths {
        if let best, best.content.hasDebugInfo { return best }
        guard let found = try? open(path, of: module) else { continue }
        best = richer(found, best)
      }
    }
    guard let best else { throw failure }
    return best
  }

  private func richer(_ found: Found, _ best: Found?) -> Found {
    guard let best, best.content.richness >= found.content.richness else { return found }
    return best
  }

  private func open(_ path: String, of module: Module) throws(ModuleStatus) -> Found {
    let file: RegularFile
    do { file = try RegularFile(path: path) } catch { throw ModuleStatus(error) }
    let content = try ModuleContent(of: file)
    guard content.identity(in: file) == module.identity else {
      if !content.buildID.isEmpty { throw .buildIDMismatch(found: content.buildID) }
      throw module.buildID.isEmpty ? .changed : .noBuildID
    }
    return Found(path: path, content: content)
  }

  private func ownPaths(of module: Module) -> [String] {
    let named = places.map { "\($0)/\(module.name)" } + (module.keptCopy.map { [$0] } ?? [])
    // A relative path would be resolved in the reader's working directory.
    guard module.path.hasPrefix("/") else { return named }
    // A place may also be the root directory of the container or machine on which the module ran.
    return places.map { $0 + module.path } + [module.path] + named
  }

  private func debugPaths(of module: Module, link: String?) -> [String] {
    let id = hex(module.identity)
    let byID = ".build-id/\(id.prefix(2))/\(id.dropFirst(2))"
    var paths = places.flatMap { place in
      [
        "\(byID).debug", "\(module.name).debug", "\(id).\(SymbolBundle.suffix)",
        // The layouts of debuginfod's cache, and of a package of debug files that includes the program.
        "\(id)/debuginfo", "\(id)/executable", byID,
      ].map { "\(place)/\($0)" }
    }
    paths += (places + [""]).map { "\($0)\(systemDirectory)/\(byID).debug" }
    if let link, module.path.hasPrefix("/") {
      let home = module.path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
      paths += ["\(home)/\(link)", "\(home)/.debug/\(link)", "\(systemDirectory)\(home)/\(link)"]
      paths += places.map { "\($0)/\(link)" }
    }
    return paths
  }
}
