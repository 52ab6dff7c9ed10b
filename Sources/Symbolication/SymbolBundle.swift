import Glibc
import IncidentModel

/// The names of one build's code in a file, small enough to keep for every release: to be read where
/// the module itself is not, or is stripped.
package struct SymbolBundle {
  /// What files with bundles are called.
  package static let suffix = "symbols"

  /// Of what it is made.
  package let status: ModuleStatus
  private let index: SymbolIndex

  /// Reads a module, and its debug information wherever that is.
  ///
  /// - Parameter symbolDirectories: where to look for it, besides where debuggers do.
  package init(of path: String, symbolDirectories: [String]) throws(ModuleStatus) {
    let absolute = realpath(path, nil)
    defer { free(absolute) }
    guard let absolute else { throw .notFound }
    let own = String(cString: absolute)
    let buildID = try Self.buildID(of: own)
    let module = Module(path: own, buildID: buildID, loadBias: 0, text: 0..<0)
    let found = try ModuleFinder(places: symbolDirectories).find(module)
    switch found.content {
    case .bundle(let index): self.index = index
    case .module(let file, let facts):
      index = try SymbolIndexBuilder.index(of: file, buildID: buildID, richness: facts.richness)
    }
    guard index.texts.count > 0, index.header.richness > 0 else {
      throw .unreadable(reason: "it is stripped, and has no symbols")
    }
    status =
      index.header.unitCount > 0
      ? .debugInfo(path: found.path) : .symbolsOnly(path: found.path)
  }

  private static func buildID(of path: String) throws(ModuleStatus) -> [UInt8] {
    let file: RegularFile
    do { file = try RegularFile(path: path) } catch { throw ModuleStatus(error) }
    let buildID = try ModuleContent(of: file).buildID
    guard !buildID.isEmpty else { throw .noBuildID }
    return buildID
  }

  package var buildID: String { hex(index.buildID.elements) }
  package var byteCount: Int { index.storage.bytes.count }

  /// Writes it beside its place and moves it there; the error is the system's number.
  package func write(to path: String) -> CInt? { index.storage.write(to: path, mode: 0o666) }
}
