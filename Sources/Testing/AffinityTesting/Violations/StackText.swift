import IncidentModel
import Symbolication
import Synchronization

/// Stacks of this process in words: a function, file and line for each frame.
enum StackText {
  /// At most `limit` lines, from the first frame that is not this library's own to the queue's.
  static func lines(_ stack: [UInt], limit: Int = 12) -> [String] {
    frames(stack).prefix(limit).map(line)
  }

  /// The frames of somebody's code.
  static func frames(_ stack: [UInt]) -> [SourceFrame] {
    let modules = LoadedModules.all()
    let frames = symbolicator.withLock { symbolicator in
      stack.flatMap { address -> [SourceFrame] in
        let address = FrameAddress(word: UInt64(address))
        guard let module = modules.first(where: { $0.text.contains(address.lookup) }) else {
          return []
        }
        return symbolicator.frames(at: address, in: module)
      }
    }
    // What checks and closures of the standard library's stand between.
    return Array(frames.drop { !isTelling($0) || isOfStandardLibrary($0) }.filter(isTelling))
  }

  private static let symbolicator = Mutex(Symbolicator())

  private static func isOfStandardLibrary(_ frame: SourceFrame) -> Bool {
    ["$ss", "$sS"].contains { frame.mangledName.hasPrefix($0) }
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
      && !OwnModules.own(frame)
      // What a macro such as @Test wrote.
      && !file.hasPrefix("@__swiftmacro_")
  }

  private static func line(_ frame: SourceFrame) -> String {
    let file = frame.file?.split(separator: "/").last.map(String.init) ?? "?"
    return "\(frame.function)  \(file):\(frame.line ?? 0)"
  }
}
