/// The contents of a crash record, and its time limits.
public struct CrashOptions: Sendable {
  /// How long recording the stacks of the other threads may take; zero leaves them out.
  public var otherThreadsTimeLimit: Duration
  /// Whether SIGQUIT, which asks a process to quit with a core dump, is recorded too.
  public var capturesSIGQUIT: Bool
  /// After how long without an answer from the main queue a hang is recorded; nil for never.
  public var hangThreshold: Duration?
  /// After how long without an answer from one of the pools that run Swift's tasks a hang is recorded; nil for
  /// never. Each priority has a pool of its own, of as many threads as there are processors.
  public var poolThreshold: Duration?
  /// After how long in a call that waits for no events the thread of one of SwiftNIO's event loops is recorded as hanging;
  /// nil for never. By default ``hangThreshold``. Loops are known by the names of their threads. A ``HangWatch`` over any
  /// loop takes the place of this.
  public var loopThreshold: Duration? {
    get {
      switch ownLoopThreshold {
      case .some(let threshold): threshold
      case .none: hangThreshold
      }
    }
    set { ownLoopThreshold = .some(newValue) }
  }
  private var ownLoopThreshold: Duration??
  /// Whether a crash includes where its thread last threw a Swift error. Each throw then captures a
  /// stack, which takes less than a tenth of a microsecond.
  public var remembersThrownErrors: Bool
  /// Whether each task is noted where it begins to wait: for a continuation, for another task, for its turn
  /// on an actor. A crash, a hang and an end that takes long then list who waits where, and since when.
  /// ``CrashHandler/waitingTaskRecording`` says whether that is possible.
  public var recordsWaitingTasks: Bool

  /// Creates options; by default all threads within a second, no SIGQUIT, and hangs of two seconds of the
  /// main queue, of the pools and of event loops.
  public init(
    otherThreadsTimeLimit: Duration = .seconds(1), capturesSIGQUIT: Bool = false,
    hangThreshold: Duration? = .seconds(2), poolThreshold: Duration? = .seconds(2),
    remembersThrownErrors: Bool = false, recordsWaitingTasks: Bool = false
  ) {
    self.otherThreadsTimeLimit = otherThreadsTimeLimit
    self.capturesSIGQUIT = capturesSIGQUIT
    self.hangThreshold = hangThreshold
    self.poolThreshold = poolThreshold
    self.remembersThrownErrors = remembersThrownErrors
    self.recordsWaitingTasks = recordsWaitingTasks
  }

  /// Creates options with a threshold for event loops of their own.
  public init(
    otherThreadsTimeLimit: Duration = .seconds(1), capturesSIGQUIT: Bool = false,
    hangThreshold: Duration? = .seconds(2), poolThreshold: Duration? = .seconds(2),
    loopThreshold: Duration?, remembersThrownErrors: Bool = false,
    recordsWaitingTasks: Bool = false
  ) {
    self.init(
      otherThreadsTimeLimit: otherThreadsTimeLimit, capturesSIGQUIT: capturesSIGQUIT,
      hangThreshold: hangThreshold, poolThreshold: poolThreshold,
      remembersThrownErrors: remembersThrownErrors, recordsWaitingTasks: recordsWaitingTasks)
    self.loopThreshold = loopThreshold
  }
}

extension Duration {
  /// Whole nanoseconds, zero at least.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole &+ UInt64(attoseconds / 1_000_000_000)
  }
}
