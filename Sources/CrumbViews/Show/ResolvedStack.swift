import IncidentModel

/// A stack whose frames have names, as far as they are known.
package final class ResolvedStack: Sendable {
  package let frames: [ResolvedFrame]
  package let end: Stack.End
  /// How many of the first frames are the recorder's own: how the crumb was left, not why.
  package let ownFrameCount: Int

  init(frames: [ResolvedFrame], end: Stack.End) {
    self.end = end
    let own = OwnFrames.count(in: frames)
    ownFrameCount = own
    guard own < frames.count else {
      self.frames = frames
      return
    }
    // Where our innermost functions were inlined into a frame of the caller's, it begins there.
    var trimmed = frames
    trimmed[own].ownFunctionCount = OwnFrames.leading(in: frames[own].functions)
    self.frames = trimmed
  }
}

/// A frame of a stack: its module, and the functions that its address belongs to.
package struct ResolvedFrame: Sendable {
  package var address: FrameAddress
  package var module: Module?
  /// Innermost first; all but the last are inlined. Empty where nothing is known.
  package var functions: [SourceFrame]
  /// How many of the first functions are the recorder's own.
  package var ownFunctionCount = 0

  /// Where the frame's code is in its module's file; nil without a module.
  package var offset: UInt64? { module.map { address.recorded &- $0.loadBias } }
}
