import HeadlessUI

/// A bar that moves to a new value in small steps, and says the percentage beside itself.
public final class AnimatedProgressView: ProgressView, @unchecked Sendable {
  /// How many frames it takes to a new value.
  public static let frames = 8
  private static let labelWidth = 6

  /// Where it is going.
  public private(set) var target = 0.0
  private var start = 0.0
  private var step = frames
  /// The number of the animation that runs: what is left of an earlier one finds that it is over.
  private var animation = 0

  /// Whether it is on its way.
  public var isAnimating: Bool { step < Self.frames }

  /// Goes to a value, from wherever it is on its way now.
  ///
  /// - Parameter clock: Who says when to draw; nil goes there at once.
  public func setProgress(_ value: Double, animatedBy clock: (any FrameClock)?) {
    if value == target, isAnimating, clock != nil { return }
    target = value
    animation += 1
    guard let clock, progress != value else {
      step = Self.frames
      progress = value
      return
    }
    start = progress
    step = 0
    waitForFrame(of: animation, clock)
  }

  private func waitForFrame(of animation: Int, _ clock: any FrameClock) {
    clock.onNextFrame { [weak self] in self?.draw(frameOf: animation, clock) }
  }

  private func draw(frameOf animation: Int, _ clock: any FrameClock) {
    guard animation == self.animation, isAnimating else { return }
    step += 1
    progress = isAnimating ? start + (target - start) * Double(step) / Double(Self.frames) : target
    if isAnimating { waitForFrame(of: animation, clock) }
  }

  /// Draws the bar, and the percentage it has come to.
  public override func draw(on canvas: Canvas) {
    let width = max(0, frame.width - Self.labelWidth)
    let done = Int((min(max(progress, 0), 1) * Double(width)).rounded())
    canvas.draw(String(repeating: "█", count: done), at: .zero)
    canvas.draw(String(repeating: "░", count: width - done), at: Point(x: done))
    let percent = "\(Int((progress * 100).rounded())) %"
    canvas.draw(percent, at: Point(x: frame.width - percent.count))
  }
}
