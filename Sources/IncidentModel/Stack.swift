/// A stack as it was captured: where each call of it was, innermost first.
package struct Stack: Hashable, Sendable {
  /// Why the walk that captured it ended.
  package enum End: UInt8, Sendable {
    /// The outermost frame was reached.
    case complete = 0
    /// There were more frames than room.
    case limit = 1
    /// A frame had no unwind information.
    case noRule = 2
    /// The next frame would have lain outside the stack.
    case badStack = 3
    /// No engine could walk here.
    case unavailable = 4
  }

  package var frames: [FrameAddress]
  package var end: End

  package init(frames: [FrameAddress], end: End) {
    self.frames = frames
    self.end = end
  }
}
