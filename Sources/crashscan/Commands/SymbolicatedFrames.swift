import CrashAnalysis
import IncidentModel
import Reporting
import Symbolication

/// Names frames by the files of their modules.
struct SymbolicatedFrames: FrameNaming, SymbolSource {
  private var symbolicator: Symbolicator

  init(symbolDirectories: [String]) {
    symbolicator = Symbolicator(symbolDirectories: symbolDirectories)
  }

  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    symbolicator.frames(at: address, in: module)
  }

  mutating func shortcoming(of module: Module) -> String? {
    switch symbolicator.moduleStatus(of: module) {
    case .debugInfo: nil
    case .symbolsOnly: "functions without lines: it carries no debug information"
    case let status: "no names: \(status)"
    }
  }
}
