import IncidentModel

/// Where in its life the process is, as far as its lifecycle crumbs tell.
struct Lifecycle {
  enum Phase { case unknown, foreground, background }

  private(set) var phase = Phase.unknown
  /// When the phase began.
  private(set) var since = Moment.never
  /// The last transition's text.
  private(set) var last = ""
  private(set) var lastWhen = Moment.never
  /// Who was on the stack of the move to this phase.
  private(set) var frames: [FrameAddress] = []
  private(set) var thread = 0
  private(set) var queue: String?
  /// Whether the process was told to end.
  private(set) var wasToldToEnd = false
  private(set) var hasExited = false
  /// When memory was last short, on the monotonic clock.
  private(set) var shortOfMemory: UInt64?
  /// What told it to end: a signal's name and its sender.
  private(set) var toldBy = ""

  mutating func observe(_ event: Event) {
    last = event.message
    lastWhen = event.moment
    switch last {
    case "did enter background": enter(.background, event)
    case "did become active", "will enter foreground": enter(.foreground, event)
    case "will terminate":
      wasToldToEnd = true
      toldBy = teller(event)
    case "did receive memory warning": shortOfMemory = event.monotonic
    case "process exited": hasExited = true
    default: break
    }
  }

  private mutating func enter(_ next: Phase, _ event: Event) {
    if phase != next {
      since = event.moment
      frames = event.frames
      thread = event.thread
      queue = event.queue?.label
    }
    phase = next
  }

  private func teller(_ event: Event) -> String {
    guard let signal = event.text("signal") else { return "" }
    return event.integer("sender").map { "\(signal) from process \($0)" } ?? signal
  }
}
