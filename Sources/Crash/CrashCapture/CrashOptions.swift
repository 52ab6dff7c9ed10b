/// The contents of a crash record, and its time limits.
public struct CrashOptions: Sendable {
  /// The time limit for recording the stacks of the other threads; zero omits these threads.
  public var otherThreadsTimeLimit: Duration
  /// True if SIGQUIT is captured too. The default action of SIGQUIT is to quit with a core dump.
  public var capturesSIGQUIT: Bool
  /// The time without an answer of the main queue after which a hang is recorded; nil disables the watch.
  public var hangThreshold: Duration?
  /// The time without an answer of a pool of Swift's tasks after which a hang is recorded; nil disables the
  /// watch. Each priority has its own pool, with as many threads as there are processors.
  public var poolThreshold: Duration?
  /// The time in a system call that does not wait for events after which a hang of a SwiftNIO event loop is
  /// recorded; nil disables the watch. The default is ``hangThreshold``. Loops are recognized by the names of
  /// their threads. A ``HangWatch`` of any loop replaces this watch.
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
  /// The time after which a request in flight counts as stuck; nil disables the check. The threads that
  /// wait for locks and queues or compute, and the waiting tasks, are then recorded, and again after
  /// pauses that double. The requests are those of the adapter for Hummingbird.
  public var requestThreshold: Duration? = .seconds(30)
  /// True if a crash includes the stack of the last throw of a Swift error on its thread. Each
  /// throw then captures a stack, which takes less than a tenth of a microsecond.
  public var remembersThrownErrors: Bool
  /// The time limit for a search of the process's memory for waiting tasks; zero omits these tasks.
  /// A crash, a hang and a slow shutdown then list the tasks by the places where they wait. Only a
  /// crash stops the process during the search.
  public var waitingTasksTimeLimit: Duration
  /// True if a copy of the program is kept beside the log, so that the first report after a rebuild has names and
  /// lines too. The folder `PROGRAM.builds` has a copy of each build, and at most as many as there are logs: the
  /// current log and the earlier logs that are kept. `Mainstay.start` also reads `MAINSTAY_PROGRAM=keep`.
  public var keepsProgram = false

  /// Creates options. By default all threads are recorded within a second and waiting tasks within half a
  /// second, SIGQUIT is not captured, and hangs of two seconds of the main queue, the pools and the event loops
  /// are recorded.
  public init(
    otherThreadsTimeLimit: Duration = .seconds(1), capturesSIGQUIT: Bool = false,
    hangThreshold: Duration? = .seconds(2), poolThreshold: Duration? = .seconds(2),
    remembersThrownErrors: Bool = false,
    waitingTasksTimeLimit: Duration = .milliseconds(500)
  ) {
    self.otherThreadsTimeLimit = otherThreadsTimeLimit
    self.capturesSIGQUIT = capturesSIGQUIT
    self.hangThreshold = hangThreshold
    self.poolThreshold = poolThreshold
    self.remembersThrownErrors = remembersThrownErrors
    self.waitingTasksTimeLimit = waitingTasksTimeLimit
  }

  /// Creates options with a separate threshold for event loops.
  public init(
    otherThreadsTimeLimit: Duration = .seconds(1), capturesSIGQUIT: Bool = false,
    hangThreshold: Duration? = .seconds(2), poolThreshold: Duration? = .seconds(2),
    loopThreshold: Duration?, remembersThrownErrors: Bool = false,
    waitingTasksTimeLimit: Duration = .milliseconds(500)
  ) {
    self.init(
      otherThreadsTimeLimit: otherThreadsTimeLimit, capturesSIGQUIT: capturesSIGQUIT,
      hangThreshold: hangThreshold, poolThreshold: poolThreshold,
      remembersThrownErrors: remembersThrownErrors,
      waitingTasksTimeLimit: waitingTasksTimeLimit)
    self.loopThreshold = loopThreshold
  }
}

extension Duration {
  /// The duration in whole nanoseconds; zero if negative.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole &+ UInt64(attoseconds / 1_000_000_000)
  }
}
