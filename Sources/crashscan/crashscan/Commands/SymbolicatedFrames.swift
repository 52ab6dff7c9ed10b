import CrashAnalysis
import CrashscanOutput
import IncidentModel
import Symbolication

/// Symbolicates frames by the files of their modules.
struct SymbolicatedFrames: SymbolSource {
  private var symbolicator: Symbolicator
  private let unnamed: UnnamedModules?

  /// Creates a symbol source.
  ///
  /// - Parameter unnamed: Collects the modules without symbols.
  init(symbolDirectories: [String], unnamed: UnnamedModules? = nil) {
    symbolicator = Symbolicator(symbolDirectories: symbolDirectories)
    self.unnamed = unnamed
  }

  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    let frames = symbolicator.frames(at: address, in: module)
    let isKept = symbolicator.usesKeptIndexes || module.keptCopy != nil
    if let unnamed, frames.isEmpty || isKept, !unnamed.knows(module) {
      switch symbolicator.moduleStatus(of: module) {
      case .kept: unnamed.addKept(module, by: "an earlier report on the same build")
      case .debugInfo(let path) where path == module.keptCopy,
        .symbolsOnly(let path) where path == module.keptCopy && !frames.isEmpty:
        unnamed.addKept(module, by: "the copy that the run kept (\(path))")
      case _ where !frames.isEmpty: break
      case .symbolsOnly where !module.isOfTheSystem && !module.isOfTheToolchain:
        unnamed.add(module, reason: "its file is stripped")
      // No file contains the kernel's own code, `[vdso]`.
      case .notFound where module.path.hasPrefix("["): unnamed.add(module, reason: nil)
      case .debugInfo, .symbolsOnly: unnamed.add(module, reason: nil)
      case let status: unnamed.add(module, reason: "\(status)")
      }
    }
    return frames
  }

  mutating func shortcoming(of module: Module) -> String? {
    switch symbolicator.moduleStatus(of: module) {
    case .debugInfo, .kept: nil
    case .symbolsOnly: "functions without lines: the file has no debug information"
    case let status: "no names: \(status)"
    }
  }
}

/// Collects the modules without symbols, each with the reason, and those whose symbols were kept.
final class UnnamedModules {
  struct Why {
    var reason: String
    /// True if a symbol file of the same build could be matched by its build id.
    var hasBuildID: Bool
  }

  /// The reasons, by the modules' file names.
  private(set) var whys: [String: Why] = [:]
  /// The sources of the symbols that an earlier report or the run itself kept, by the modules' file names.
  private(set) var kept: [String: String] = [:]
  private var seen: Set<Module> = []

  func knows(_ module: Module) -> Bool { seen.contains(module) }

  /// Adds a module.
  ///
  /// - Parameter reason: The reason why the module has no symbols; nil if only the address has
  ///   none.
  func add(_ module: Module, reason: String?) {
    seen.insert(module)
    guard let reason, whys[module.name] == nil else { return }
    whys[module.name] = Why(reason: reason, hasBuildID: !module.buildID.isEmpty)
  }

  func addKept(_ module: Module, by source: String) {
    seen.insert(module)
    kept[module.name] = source
  }
}
