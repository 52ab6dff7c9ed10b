import CrashAnalysis
import IncidentModel
import CLogFormat

/// A stack whose frames have names, as far as they are known.
package final class ResolvedStack: Sendable {
  package let frames: [ResolvedFrame]
  package let end: Stack.End
  /// How many of the first frames are the recorder's own: how the crumb was left, not why.
  package let ownFrameCount: Int

  package init(frames: [ResolvedFrame], end: Stack.End) {
    self.end = end
    let own = OwnFrames.count(in: frames)
    ownFrameCount = own
    guard own < frames.count else {
      self.frames = frames
      return
    }
    // If our innermost functions were inlined into a frame of the caller, the user's part begins inside that
    // frame.
    var trimmed = frames
    trimmed[own].ownFunctionCount = OwnFrames.leading(in: frames[own].functions)
    self.frames = trimmed
  }
}

/// Distinguishes the functions of the recording library from those of its caller.
package enum OwnFrames {
  /// Functions of the standard library and thunks of the compiler, which count as part of their callers.
  private static let neutral = ["$ss", "$sS", "$s15Synchronization", "$sI", "swift_"]

  /// The frames from the innermost on that are ours, with those of the standard library between.
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

  /// The functions that are ours, among those that share a frame with others.
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
