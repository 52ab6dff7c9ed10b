import IncidentModel

/// Tells the functions of the recording library from those of whoever calls it.
enum OwnFrames {
  /// The standard library's own functions and the compiler's thunks: they belong to whoever
  /// called them.
  private static let neutral = ["$ss", "$sS", "$s15Synchronization", "$sI", "swift_"]

  /// The frames from the innermost on that are ours, with those of the standard library between.
  static func count(in frames: [ResolvedFrame]) -> Int {
    var count = 0
    for (index, frame) in frames.enumerated() {
      guard let outermost = frame.functions.last else { break }
      if OwnModules.own(outermost) {
        count = index + 1
      } else if !isNeutral(outermost) {
        break
      }
    }
    return count == frames.count ? 0 : count
  }

  /// The functions that are ours, among those that share a frame with others.
  static func leading(in functions: [SourceFrame]) -> Int {
    var count = 0
    for (index, function) in functions.enumerated() {
      if OwnModules.own(function) {
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
