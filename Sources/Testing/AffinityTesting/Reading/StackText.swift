internal import CRecorder
import ThreadAffinity

/// Stacks of this process in words: a function for each frame, with file and line if they are known.
enum StackText {
  /// At most `limit` lines, from the first frame that is not this library's own to the queue's.
  static func lines(
    _ stack: [UInt], limit: Int = 12, by reader: (any CrashReader)? = CrashReaders.current
  ) -> [String] {
    frames(stack, by: reader).prefix(limit).map(line)
  }

  /// The frames of the program's own code.
  static func frames(
    _ stack: [UInt], by reader: (any CrashReader)? = CrashReaders.current
  ) -> [StackFrame] {
    let frames = reader?.frames(stack) ?? SymbolNames.frames(stack)
    // Checks, and closures of the standard library, are between the violation and the code that led to it.
    return Array(frames.drop { !isTelling($0) || isOfStandardLibrary($0) }.filter(isTelling))
  }

  private static func isOfStandardLibrary(_ frame: StackFrame) -> Bool {
    ["$ss", "$sS"].contains { frame.mangledName.hasPrefix($0) }
  }

  /// Whether a frame is the program's own code; those of queues and tasks are not.
  private static func isTelling(_ frame: StackFrame) -> Bool {
    let silent = [
      "thunk for ", "partial apply", "reabstraction thunk", "_dispatch_", "swift_", "start_thread",
      "__GI_", "clone",
    ]
    return !silent.contains { frame.function.hasPrefix($0) }
      && !ms_own_function(frame.mangledName, frame.file)
      // A macro such as @Test wrote the function.
      && frame.file?.hasPrefix("@__swiftmacro_") != true
  }

  private static func line(_ frame: StackFrame) -> String {
    guard let file = frame.file?.split(separator: "/").last else {
      return ShortName.of(frame.function)
    }
    return "\(frame.function)  \(file):\(frame.line ?? 0)"
  }
}
