import CrashAnalysis
import IncidentModel
import CLogFormat

/// A symbolicated stack.
package final class ResolvedStack: Sendable {
  package let frames: [ResolvedFrame]
  package let end: Stack.End
  /// The number of innermost frames that belong to the recorder.
  package let ownFrameCount: Int

  package init(frames: [ResolvedFrame], end: Stack.End) {
    self.end = end
    let own = OwnFrames.count(in: frames)
    ownFrameCount = own
    guard own < frames.count else {
      self.frames = frames
      return
    }
    // If the recorder's innermost functions were inlined into a frame of the caller, the caller's
    // part starts within that frame.
    var trimmed = frames
    trimmed[own].ownFunctionCount = OwnFrames.leading(in: frames[own].functions)
    self.frames = trimmed
  }
}

/// Distinguishes the recorder's functions from those of its caller.
package enum OwnFrames {
  /// Prefixes of standard library functions and compiler thunks, which count as part of their
  /// callers.
  private static let neutral = ["$ss", "$sS", "$s15Synchronization", "$sI", "swift_"]

  /// Returns the number of innermost frames that belong to the recorder, including standard library
  /// frames in between.
  package static func count(in frames: [ResolvedFrame]) -> Int {
    var count = 0
    for (index, frame) in frames.enumerated() {
      guard let outermost = frame.functions.last else { break }
      if ms_own_function(outermost.mangledName, outermost.file) {
        count = index + 1
      } else if !isNeutral(outermost) {
        break
      }
    }
    return count == frames.count ? 0 : count
  }

  /// Returns the number of innermost functions of a frame that belong to the recorder.
  package static func leading(in functions: [SourceFrame]) -> Int {
    var count = 0
    for (index, function) in functions.enumerated() {
      if ms_own_function(function.mangledName, function.file) {
        count = index + 1
      } else if !isNeutral(function) {
        break
      }
    }
    return count == functions.count ? 0 : count
  }

  private static func isNeutral(_ function: SourceFrame) -> Bool {
    neutral.contains { function.mangledName.hasPrefix($0) }
  }
}
