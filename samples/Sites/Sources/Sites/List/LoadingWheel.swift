import Dispatch
import HeadlessUI
import ThreadAffinity

/// A wheel that turns while something is awaited, and what it is that is awaited.
final class LoadingWheel: View, @unchecked Sendable {
  private static let frames: [Character] = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  private let text: String
  private let interval: DispatchTimeInterval
  private var timer: (any DispatchSourceTimer)?
  @MainQueueBound("LoadingWheel.frame") private var step = 0

  /// A wheel at rest that, once it turns, does so every `interval`.
  init(_ text: String, every interval: DispatchTimeInterval = .milliseconds(80)) {
    self.text = text
    self.interval = interval
    super.init()
  }

  deinit { timer?.cancel() }

  /// Whether it turns.
  var isAnimating: Bool { timer != nil }

  /// Turns from now on; it is shown only while it does.
  func startAnimating() {
    isHidden = false
    guard timer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.setEventHandler { [weak self] in self?.advance() }
    timer.resume()
    self.timer = timer
  }

  /// Stops, and begins anew another time.
  func stopAnimating() {
    isHidden = true
    timer?.cancel()
    timer = nil
    step = 0
  }

  /// Turns on by one frame.
  func advance() { step = (step + 1) % Self.frames.count }

  /// One line, as long as what it says.
  override func sizeThatFits(_ room: Size) -> Size {
    Size(width: min(text.count + 2, room.width), height: 1)
  }

  /// Draws the frame it has come to.
  override func draw(on canvas: Canvas) {
    canvas.draw("\(Self.frames[step]) \(text)", at: .zero)
  }
}
