import CSymbols

/// A file with symbols of a module: the module itself, its debug file, or a bundle made from either.
enum ModuleContent {
  case module(RegularFile, ModuleFacts)
  case bundle(SymbolIndex)

  init(of file: RegularFile) throws(ModuleStatus) {
    if file.isBundle {
      guard let index = IndexStorage(mapping: file).flatMap({ SymbolIndex($0) }) else {
        throw .unreadable(
          reason: "a damaged symbol bundle, or a bundle of another version of crashscan")
      }
      self = .bundle(index)
    } else if let facts = ModuleFacts(of: file) {
      self = .module(file, facts)
    } else {
      throw .unreadable(reason: "not an executable or shared library")
    }
  }

  var buildID: [UInt8] {
    switch self {
    case .module(_, let facts): facts.buildID
    case .bundle(let index): index.buildID.elements
    }
  }

  /// The identity of the module: its build id, or the stamp of its file (inode, size and times of change).
  func identity(in file: RegularFile) -> [UInt8] { buildID.isEmpty ? file.stamp.bytes : buildID }

  var hasDebugInfo: Bool {
    switch self {
    case .module(_, let facts): facts.hasDebugInfo
    case .bundle(let index): index.header.unitCount > 0
    }
  }

  /// The amount of symbol information in the file.
  var richness: UInt32 {
    switch self {
    case .module(_, let facts): facts.richness
    case .bundle(let index): index.header.richness
    }
  }

  var debugLink: String? {
    if case .module(_, let facts) = self { facts.debugLink } else { nil }
  }
}

/// The facts about an ELF file.
struct ModuleFacts {
  var buildID: [UInt8]
  var hasDebugInfo: Bool
  var hasSymbolTable: Bool
  /// The name of the separate debug file.
  var debugLink: String?

  /// The amount of symbol information in the file, to detect an index that was built from less.
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

  /// Returns a link if it is a bare file name; any other link would lead out of the searched directories.
  private static func fileName(_ link: String?) -> String? {
    guard let link, !link.contains("/"), link != ".." else { return nil }
    return link
  }
}
