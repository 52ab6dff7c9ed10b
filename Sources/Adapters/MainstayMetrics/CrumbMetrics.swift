#if Metrics
  public import Breadcrumbs
  internal import CrashCapture
  public import CoreMetrics
  internal import Synchronization

  /// Metrics for swift-metrics: the counters `mainstay_crumbs`, `mainstay_crumbs_dropped`,
  /// `mainstay_violations` and `mainstay_hangs`, and the timer `mainstay_answer_seconds` with the dimensions
  /// `executor` and `name`.
  ///
  ///     let metrics = CrumbMetrics(of: diagnostics.recorder)
  ///     Task { try await metrics.run() }
  ///
  /// Violations and hangs are counted when they occur. The timer has the time in which the main queue, each
  /// pool of Swift's tasks and each executor with a watch answered the beats of the hang watch. Crumbs are
  /// counted by ``update()``, so that recording costs nothing extra.
  public final class CrumbMetrics: Sendable {
    private let recorder: BreadcrumbRecorder
    private let interval: Duration
    private let crumbs: Counter
    private let dropped: Counter
    private let seen = Mutex((crumbs: UInt64(0), dropped: UInt64(0)))

    /// Creates the counters.
    ///
    /// - Parameters:
    ///   - recorder: The recorder whose crumbs are counted.
    ///   - interval: The time between two updates in `run`.
    ///   - factory: The factory of the counters; nil for the factory of `MetricsSystem`.
    public init(
      of recorder: BreadcrumbRecorder, every interval: Duration = .seconds(10),
      factory: (any MetricsFactory)? = nil
    ) {
      self.recorder = recorder
      self.interval = interval
      let factory = factory ?? MetricsSystem.factory
      func counter(_ label: String) -> Counter {
        Counter(label: label, dimensions: [], factory: factory)
      }
      crumbs = counter("mainstay_crumbs")
      dropped = counter("mainstay_crumbs_dropped")
      let (violations, hangs) = (counter("mainstay_violations"), counter("mainstay_hangs"))
      ViolationWatch.add { _ in violations.increment() }
      CrashHandler.watchHangs { hang in if !hang.hasEnded { hangs.increment() } }
      let answers = AnswerTimers(factory)
      CrashHandler.watchAnswers { answers.record($0) }
    }

    /// Adds the crumbs since the last update to the counters.
    public func update() {
      let now = recorder.counts
      let (more, lost) = seen.withLock { seen in
        let difference = (now.crumbs &- seen.crumbs, now.dropped &- seen.dropped)
        seen = (now.crumbs, now.dropped)
        return difference
      }
      crumbs.increment(by: Int64(clamping: more))
      dropped.increment(by: Int64(clamping: lost))
    }

    /// Updates the counters until the calling task is cancelled, and once after that.
    public func run() async throws {
      defer { update() }
      while !Task.isCancelled {
        update()
        try await Task.sleep(for: interval)
      }
    }
  }

  /// The timers of the watched executors, each created at the first answer.
  private final class AnswerTimers: Sendable {
    private let factory: any MetricsFactory
    private let timers = Mutex<[[String]: Timer]>([:])

    init(_ factory: any MetricsFactory) { self.factory = factory }

    func record(_ answer: AnswerEvent) {
      let timer = timers.withLock { timers in
        let key = [answer.kind, answer.name]
        if let timer = timers[key] { return timer }
        let timer = Timer(
          label: "mainstay_answer_seconds",
          dimensions: [("executor", answer.kind), ("name", answer.name)], factory: factory)
        timers[key] = timer
        return timer
      }
      timer.recordNanoseconds(Int64(clamping: answer.nanoseconds))
    }
  }
#endif
