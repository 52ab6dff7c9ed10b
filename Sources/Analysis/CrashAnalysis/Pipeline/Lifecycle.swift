import IncidentModel
import CLogFormat

/// The lifecycle phase of the process, from its lifecycle crumbs.
struct Lifecycle {
  enum Phase { case unknown, foreground, background }

  private(set) var phase: Phase
  /// The start of the phase.
  private(set) var since = Moment.never
  /// The text of the last transition.
  private(set) var last = ""
  private(set) var lastWhen = Moment.never
  /// The stack that entered this phase.
  private(set) var frames: [FrameAddress] = []
  private(set) var thread = 0
  private(set) var queue: String?
  /// True if the process was asked to exit.
  private(set) var wasToldToEnd = false
  private(set) var hasExited = false
  /// The last memory warning, on the monotonic clock; nil without a warning.
  private(set) var shortOfMemory: UInt64?
  /// The first request to exit: its monotonic time and, below, its wall-clock time.
  private(set) var askedToEnd: UInt64?
  private(set) var askedWall: UInt64 = 0
  /// The signal that requested the exit; 0 without a signal.
  private(set) var toldBySignal = 0
  /// The source of the request to exit: a signal's name and its sender.
  private(set) var toldBy = ""

  /// Creates the phase at the start of an input.
  ///
  /// - Parameter isInBackground: True if the input states that the process is in the background,
  ///   without an event.
  init(isInBackground: Bool) {
    phase = isInBackground ? .background : .unknown
    since.isTold = !isInBackground
  }

  mutating func observe(_ event: Event) {
    last = event.message
    lastWhen = event.moment
    switch LifecycleStep(last) {
    case .didEnterBackground: enter(.background, event)
    case .didBecomeActive, .willEnterForeground: enter(.foreground, event)
    case .willTerminate:
      if !wasToldToEnd { (askedToEnd, askedWall) = (event.monotonic, event.wall) }
      wasToldToEnd = true
      toldBy = teller(event)
      toldBySignal = event.text(MS_KEY_SIGNAL).flatMap { SignalName.number(of: $0) } ?? 0
    case .didReceiveMemoryWarning: shortOfMemory = event.monotonic
    case .processExited: hasExited = true
    case .processStarted, .didLaunch, .willResignActive, nil: break
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
    guard let signal = event.text(MS_KEY_SIGNAL) else { return "" }
    return event.integer(MS_KEY_SENDER).map { "\(signal) from process \($0)" } ?? signal
  }
}
