import CDwarf
import IncidentModel

/// Looks for the files that describe a module: itself, and where its symbols were put when it was
/// stripped. Nothing is fetched.
struct ModuleFinder {
  /// Where the user says symbols are.
  var directories: [String]
  var systemDirectory = "/usr/lib/debug"

  /// A file of the right build.
  struct Found {
    var path: String
    var file: RegularFile
    var facts: ModuleFacts
  }

  /// The richest file of the module's build: with debug information, else with a symbol table.
  /// When there is none the error says why the module's own file is of no use.
  func find(_ module: Module) throws(ModuleStatus) -> Found {
    guard !module.buildID.isEmpty else { throw .noBuildID }
    var best: Found?
    var failure = ModuleStatus.notFound
    var debugLink: String?
    for path in ownPaths(of: module) {
      do throws(ModuleStatus) {
        let found = try open(path, of: module)
        debugLink = debugLink ?? found.facts.debugLink
        best = richer(found, best)
        if found.facts.hasDebugInfo { break }
      } catch {
        if failure == .notFound { failure = error }
      }
    }
    for path in debugPaths(of: module, link: debugLink) {
      if let best, best.facts.hasDebugInfo { return best }
      guard let found = try? open(path, of: module) else { continue }
      best = richer(found, best)
    }
    guard let best else { throw failure }
    return best
  }

  private func richer(_ found: Found, _ best: Found?) -> Found {
    guard let best, best.facts.richness >= found.facts.richness else { return found }
    return best
  }

  private func open(_ path: String, of module: Module) throws(ModuleStatus) -> Found {
    let file: RegularFile
    do { file = try RegularFile(path: path) } catch {
      switch error {
      case .notFound: throw .notFound
      case .notRegular: throw .notRegular
      case .unreadable(let reason): throw .unreadable(reason: reason)
      }
    }
    guard let facts = ModuleFacts(of: file) else {
      throw .unreadable(reason: "not an executable or shared library")
    }
    guard !facts.buildID.isEmpty else { throw .noBuildID }
    guard facts.buildID == module.buildID else { throw .buildIDMismatch(found: facts.buildID) }
    return Found(path: path, file: file, facts: facts)
  }

  private func ownPaths(of module: Module) -> [String] {
    // A relative path would name whatever stands below the reader's working directory.
    (module.path.hasPrefix("/") ? [module.path] : []) + directories.map { "\($0)/\(module.name)" }
  }

  private func debugPaths(of module: Module, link: String?) -> [String] {
    let id = hex(module.buildID)
    let byID = ".build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug"
    var paths = directories.flatMap { ["\($0)/\(byID)", "\($0)/\(module.name).debug"] }
    paths.append("\(systemDirectory)/\(byID)")
    if let link, module.path.hasPrefix("/") {
      let home = module.path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
      paths += ["\(home)/\(link)", "\(home)/.debug/\(link)", "\(systemDirectory)\(home)/\(link)"]
      paths += directories.map { "\($0)/\(link)" }
    }
    return paths
  }
}

extension ModuleStatus: Error {}

/// What an ELF file carries.
struct ModuleFacts {
  var buildID: [UInt8]
  var hasDebugInfo: Bool
  var hasSymbolTable: Bool
  /// The name of the file with its debug information.
  var debugLink: String?

  /// How much there is to read, to tell whether an index was made from less.
  var richness: UInt32 { hasDebugInfo ? 2 : hasSymbolTable ? 1 : 0 }

  init?(of file: RegularFile) {
    var facts = ms_module_facts()
    guard ms_module_read_facts(file.descriptor, &facts) else { return nil }
    buildID = withUnsafeBytes(of: facts.build_id) { Array($0.prefix(Int(facts.build_id_length))) }
    hasDebugInfo = facts.has_debug_info
    hasSymbolTable = facts.has_symbol_table
    debugLink = Self.fileName(withUnsafeBytes(of: facts.debug_link) { Self.text($0) })
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    let used = bytes.prefix { $0 != 0 }
    return used.isEmpty ? nil : String(decoding: used, as: UTF8.self)
  }

  /// A link is a bare file name; anything else would lead out of the directories looked in.
  private static func fileName(_ link: String?) -> String? {
    guard let link, !link.contains("/"), link != ".." else { return nil }
    return link
  }
}
