import CDwarf
import IncidentModel

/// A module with the index of its code, if that could be had.
final class LoadedModule {
  let status: ModuleStatus
  private let index: SymbolIndex?
  private let bias: UInt64
  private var answers: [SymbolIndex.Place: [SourceFrame]] = [:]
  private var names: [UInt32: (readable: String, mangled: String)] = [:]
  private var files: [UInt32: String] = [:]
  private var demangler = Demangler()

  init(_ module: Module, finder: ModuleFinder, cache: IndexCache?) {
    bias = module.loadBias
    do throws(ModuleStatus) {
      let found = try finder.find(module)
      let index = try Self.index(of: found, module, cache)
      self.index = index
      status =
        index.header.unitCount > 0
        ? .debugInfo(path: found.path) : .symbolsOnly(path: found.path)
    } catch {
      index = nil
      status = error
    }
  }

  private static func index(
    of found: ModuleFinder.Found, _ module: Module, _ cache: IndexCache?
  ) throws(ModuleStatus) -> SymbolIndex {
    if let kept = cache?.index(buildID: module.buildID, source: found.facts) { return kept }
    let alternate = found.facts.alternateLink.flatMap { try? RegularFile(path: $0) }
    let index = try SymbolIndexBuilder.index(
      of: found.file, alternate: alternate, buildID: module.buildID,
      richness: found.facts.richness)
    cache?.keep(index)
    return index
  }

  /// The functions at an address, innermost first; empty where nothing is known.
  func frames(at address: FrameAddress) -> [SourceFrame] {
    guard let index, address.lookup >= bias, let place = index.place(of: address.lookup - bias)
    else { return [] }
    if let known = answers[place] { return known }
    let frames = frames(at: place, of: index)
    answers[place] = frames
    return frames
  }

  private func frames(at place: SymbolIndex.Place, of index: SymbolIndex) -> [SourceFrame] {
    let scopes = index.scopes(at: place)
    let symbol = index.symbolName(at: place)
    var line = index.line(at: place)
    guard !scopes.isEmpty else {
      guard symbol != nil || line != nil else { return [] }
      return [frame(symbol, line, isInlined: false)]
    }
    var frames: [SourceFrame] = []
    frames.reserveCapacity(scopes.count)
    for (depth, scope) in scopes.enumerated() {
      let isOutermost = depth == scopes.count - 1
      // The linker's name says which copy of a function this is; its entry may name the original.
      let name = isOutermost ? symbol ?? scope.name : scope.name
      frames.append(frame(name, line, isInlined: !isOutermost))
      line = scope.call
    }
    return frames
  }

  private func frame(
    _ name: UInt32?, _ line: SymbolIndex.Line?, isInlined: Bool
  ) -> SourceFrame {
    let name = name.flatMap { self.name($0) } ?? ("??", "??")
    return SourceFrame(
      function: name.readable, mangledName: name.mangled, file: line.flatMap { file($0.file) },
      line: line.flatMap { $0.line == 0 ? nil : Int($0.line) },
      column: line.flatMap { $0.column == 0 ? nil : Int($0.column) }, isInlined: isInlined)
  }

  private func file(_ place: UInt32) -> String? {
    if let known = files[place] { return known }
    let file = index?.string(at: place)
    files[place] = file
    return file
  }

  private func name(_ place: UInt32) -> (readable: String, mangled: String)? {
    if let known = names[place] { return known }
    let name = index?.withCString(at: place) { (demangler.readable($0), String(cString: $0)) }
    names[place] = name
    return name
  }
}
