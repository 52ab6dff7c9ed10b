import AffinityTesting
import CrashAnalysis
import Glibc
import IncidentModel
import Symbolication
import Synchronization

/// Symbolicates addresses from the files of the modules. All children run this program, so its file
/// is read only once.
struct FileSymbols: SymbolSource {
  private static let symbolicator = Mutex(Symbolicator())

  func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    Self.symbolicator.withLock { $0.frames(at: address, in: module) }
  }
}

extension Module {
  /// A module of this process.
  init(_ module: LoadedModule) {
    self.init(
      path: module.path, buildID: module.buildID, stamp: module.programStatus.map(FileStamp.init),
      loadBias: module.loadBias, text: module.text)
  }
}
