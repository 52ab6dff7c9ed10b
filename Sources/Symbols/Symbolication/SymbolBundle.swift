import Glibc
import IncidentModel

/// The symbols of one build in a file, small enough to archive for every release. A bundle replaces a module
/// that is missing or stripped.
package struct SymbolBundle {
  /// The extension of bundle files.
  package static let suffix = "symbols"

  /// The source of the bundle's symbols.
  package let status: ModuleStatus
  private let index: SymbolIndex

  /// Reads a module and its debug information, from the module's file or any searched place.
  ///
  /// - Parameter symbolDirectories: Directories to search, in addition to the standard directories of
  ///   debuggers.
  package init(of path: String, symbolDirectories: [String]) throws(ModuleStatus) {
    let absolute = realpath(path, nil)
    defer { free(absolute) }
    guard let absolute else { throw .notFound }
    let own = String(cString: absolute)
    let module = try Self.module(at: own)
    buildID = module.buildID.isEmpty ? nil : hex(module.buildID)
    let found = try ModuleFinder(places: symbolDirectories).find(module)
    switch found.content {
    case .bundle(let index): self.index = index
    case .module(let file, let facts):
      index = try SymbolIndexBuilder.index(
        of: file, buildID: module.identity, richness: facts.richness)
    }
    guard index.texts.count > 0, index.header.richness > 0 else {
      throw .unreadable(reason: "the file is stripped and has no symbols")
    }
    status =
      index.header.unitCount > 0
      ? .debugInfo(path: found.path) : .symbolsOnly(path: found.path)
  }

  /// Returns the file at a path as a module at its own addresses.
  package static func module(at path: String) throws(ModuleStatus) -> Module {
    let file: RegularFile
    do { file = try RegularFile(path: path) } catch { throw ModuleStatus(error) }
    let buildID = try ModuleContent(of: file).buildID
    return Module(
      path: path, buildID: buildID, stamp: buildID.isEmpty ? file.stamp : nil, loadBias: 0,
      text: 0..<0)
  }

  /// The build id; nil if the module is identified by its file alone.
  package let buildID: String?
  package var identity: String { hex(index.buildID.elements) }
  package var byteCount: Int { index.storage.bytes.count }

  /// Writes the bundle to a temporary file and renames the file. Returns the error number; nil on success.
  package func write(to path: String) -> CInt? { index.storage.write(to: path, mode: 0o666) }
}
