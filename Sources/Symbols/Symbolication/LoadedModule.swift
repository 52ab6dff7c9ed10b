import IncidentModel

/// A module's file, with the index of its code if the index could be built.
final class LoadedModule {
  let status: ModuleStatus
  private var code: CodeReader?
  private let cache: IndexCache?

  init(_ module: Module, finder: ModuleFinder, cache: IndexCache?) {
    self.cache = cache
    let kept = cache?.index(of: module)
    do throws(ModuleStatus) {
      let found = try finder.find(module)
      if let kept, kept.header.richness > found.content.richness {
        code = CodeReader(kept, names: cache?.names(of: kept))
        status = .kept(because: "stripped")
        return
      }
      let index = try Self.index(of: found, module, kept, cache)
      code = CodeReader(index, names: cache?.names(of: index))
      status =
        index.header.unitCount > 0
        ? .debugInfo(path: found.path) : .symbolsOnly(path: found.path)
    } catch {
      code = kept.map { CodeReader($0, names: cache?.names(of: $0)) }
      status = kept == nil ? error : .kept(because: "\(error)")
    }
  }

  private static func index(
    of found: ModuleFinder.Found, _ module: Module, _ kept: SymbolIndex?, _ cache: IndexCache?
  ) throws(ModuleStatus) -> SymbolIndex {
    switch found.content {
    case .bundle(let index): return index
    case .module(let file, let facts):
      if let kept, kept.header.richness == facts.richness { return kept }
      let index = try SymbolIndexBuilder.index(
        of: file, buildID: module.identity, richness: facts.richness)
      cache?.keep(index)
      return index
    }
  }

  deinit { keepWhatWasLearned() }

  /// The functions at an address, innermost first; empty if unknown.
  ///
  /// - Parameter bias: The difference between a loaded address and the address in the file.
  func frames(at address: FrameAddress, bias: UInt64) -> [SourceFrame] {
    code?.frames(at: address, bias: bias) ?? []
  }

  /// The functions at each of many addresses, in the same order.
  func frames(at addresses: [FrameAddress], bias: UInt64) -> [[SourceFrame]] {
    guard var reader = code.take() else { return addresses.map { _ in [] } }
    let frames = reader.frames(at: addresses, bias: bias)
    code = reader
    keepWhatWasLearned()
    return frames
  }

  /// Saves the readable names, once the number of new names justifies the write.
  private func keepWhatWasLearned() {
    guard let cache, let code, code.learned >= 64 else { return }
    cache.keep(names: code.namesBlock(), of: code.index)
    self.code?.forgetLearning()
  }
}
