import CrashAnalysis
import TextOutput

extension DeathRecord {
  /// The stack of the crashed thread, innermost first, one line per function; empty if unknown.
  var stackText: String {
    guard let crashed else { return "" }
    var lines: [String] = []
    var (number, size, isAwaiting) = (0, 0, false)
    for frame in crashed.stack.frames.dropFirst(crashed.stack.ownFrameCount) {
      if frame.address.isAsyncCaller, !isAwaiting {
        isAwaiting = true
        lines.append("awaited by")
      }
      for line in Self.lines(of: frame) {
        let line = escapingControls("\(number)  \(line)".cut(to: Limit.text))
        number += 1
        size += line.utf8.count + 1
        if size > Limit.stackText { return (lines + ["…"]).joined(separator: "\n") }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the lines of a frame; an inlined function precedes the function into which it was
  /// inlined.
  private static func lines(of frame: ResolvedFrame) -> [String] {
    if frame.functions.isEmpty { return [frame.nameless] }
    let module = frame.module.map { " in \($0.name)" } ?? ""
    return frame.functions.dropFirst(frame.ownFunctionCount).map { function in
      let place = function.file.map { file in
        " at \(file)" + (function.line.map { ":\($0)" } ?? "")
      }
      return function.function + (place ?? "") + module + (function.isInlined ? " [inlined]" : "")
    }
  }
}
