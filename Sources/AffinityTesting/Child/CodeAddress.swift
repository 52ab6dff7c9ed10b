import IncidentModel

internal import CTestProcess

/// A place in the code or data of a module, which a child of this program finds in its own memory.
struct CodeAddress: Codable, Sendable {
  private let module: String
  private let offset: UInt64

  /// Nil where no module is mapped there.
  init?(_ address: UInt) {
    let found = LoadedModules.all().filter { $0.loadBias <= UInt64(address) }
      .max { $0.loadBias < $1.loadBias }
    guard let found else { return nil }
    module = found.path
    offset = UInt64(address) - found.loadBias
  }

  /// Where it is in this process; nil where its module is not loaded.
  var address: UInt? {
    LoadedModules.all().first { $0.path == module }.map { UInt($0.loadBias + offset) }
  }
}
