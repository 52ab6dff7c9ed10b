import IncidentModel
import Symbolication
import Synchronization

/// Stacks of this process in words: a function, file and line for each frame.
enum StackText {
  /// At most `limit` lines, from the first frame that is not this library's own to the queue's.
  static func lines(_ stack: [UInt], limit: Int = 12) -> [String] {
    let modules = LoadedModules.all()
    let frames = symbolicator.withLock { symbolicator in
      stack.flatMap { address -> [SourceFrame] in
        let address = FrameAddress.returnAddress(UInt64(address))
        guard let module = modules.first(where: { $0.text.contains(address.lookup) }) else {
          return []
        }
        return symbolicator.frames(at: address, in: module)
      }
    }
    return frames.drop(while: isOwn).filter(isTelling).prefix(limit).map(line)
  }

  private static let symbolicator = Mutex(Symbolicator())

  private static let libraries = ["$s14ThreadAffinity", "$s15AffinityTesting", "$s11Breadcrumbs"]

  private static func isOwn(_ frame: SourceFrame) -> Bool {
    (libraries + ["ms_", "$ss", "$sS"]).contains { frame.mangledName.hasPrefix($0) }
  }

  /// Whether a frame says where somebody's code is; those of queues and tasks do not.
  private static func isTelling(_ frame: SourceFrame) -> Bool {
    guard let file = frame.file, file != "<compiler-generated>", frame.line != 0 else {
      return false
    }
    let silent = [
      "thunk for ", "partial apply", "reabstraction thunk", "_dispatch_", "swift_", "start_thread",
      "__GI_", "clone",
    ]
    return !silent.contains { frame.function.hasPrefix($0) }
      && !libraries.contains { frame.mangledName.hasPrefix($0) }
  }

  private static func line(_ frame: SourceFrame) -> String {
    let file = frame.file?.split(separator: "/").last.map(String.init) ?? "?"
    return "\(frame.function)  \(file):\(frame.line ?? 0)"
  }
}
