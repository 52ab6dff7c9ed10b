internal import CRecorder
import ThreadAffinity

/// Formats stacks of this process: one line per frame, with file and line if known.
enum StackText {
  /// The program's frames as at most `limit` lines, innermost first.
  static func lines(
    _ stack: [UInt], limit: Int = 12, by reader: (any CrashReader)? = CrashReaders.current
  ) -> [String] {
    frames(stack, by: reader).prefix(limit).map(line)
  }

  /// The frames of the program's own code, innermost first.
  static func frames(
    _ stack: [UInt], by reader: (any CrashReader)? = CrashReaders.current
  ) -> [StackFrame] {
    let frames = reader?.frames(stack) ?? SymbolNames.frames(stack)
    // Frames of checks and of standard library closures lie between the violation and the code that
    // caused it.
    return Array(frames.drop { !isTelling($0) || isOfStandardLibrary($0) }.filter(isTelling))
  }

  private static func isOfStandardLibrary(_ frame: StackFrame) -> Bool {
    ["$ss", "$sS"].contains { frame.mangledName.hasPrefix($0) }
  }

  /// True if the frame is the program's own code, and not code of queues, tasks or this library.
  private static func isTelling(_ frame: StackFrame) -> Bool {
    let silent = [
      "thunk for ", "partial apply", "reabstraction thunk", "_dispatch_", "swift_", "start_thread",
      "__GI_", "clone",
    ]
    return !silent.contains { frame.function.hasPrefix($0) }
      && !ms_own_function(frame.mangledName, frame.file)
      // The name of a function that a macro such as @Test generated.
      && frame.file?.hasPrefix("@__swiftmacro_") != true
  }

  private static func line(_ frame: StackFrame) -> String {
    guard let file = frame.file?.split(separator: "/").last else {
      return ShortName.of(frame.function)
    }
    return "\(frame.function)  \(file):\(frame.line ?? 0)"
  }
}
