import Dispatch

/// Frames as a display shows them, sixty each second.
public final class DisplayFrames: FrameClock {
  private static let interval = DispatchTimeInterval.microseconds(16_667)

  /// A clock that ticks only when it is asked to.
  public init() {}

  /// Does some work at the next sixtieth of a second.
  public func onNextFrame(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.interval, execute: work)
  }
}
