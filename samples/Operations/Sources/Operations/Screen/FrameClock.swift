/// Says when the next picture of an animation is due.
public protocol FrameClock: AnyObject, Sendable {
  /// Does some work once, on the main queue, when the next frame is due.
  func onNextFrame(_ work: @escaping @Sendable () -> Void)
}
