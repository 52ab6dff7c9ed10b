#if NIO
  public import Breadcrumbs
  internal import NIOCore
  public import NIOPosix

  /// Records a crumb for each long tick of an event loop, with the number of tasks and the duration.
  ///
  ///     let ticks = EventLoopTickRecorder(recorder: diagnostics.recorder)
  ///     let group = MultiThreadedEventLoopGroup(numberOfThreads: 4, metricsDelegate: ticks)
  ///
  /// The crumb has the loop's thread, and therefore its name. A short tick costs one comparison.
  public struct EventLoopTickRecorder: NIOEventLoopMetricsDelegate {
    private let recorder: BreadcrumbRecorder
    private let nanoseconds: Int64

    /// Creates a recorder of long ticks.
    ///
    /// - Parameters:
    ///   - recorder: The recorder for the crumbs.
    ///   - threshold: The duration from which a tick is recorded.
    public init(recorder: BreadcrumbRecorder, longerThan threshold: Duration = .milliseconds(50)) {
      self.recorder = recorder
      let (seconds, attoseconds) = threshold.components
      nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Records a tick if it was long; called by the event loop.
    public func processedTick(info: NIOEventLoopTickInfo) {
      let took = (info.endTime - info.startTime).nanoseconds
      guard took >= nanoseconds else { return }
      recorder.record(
        "long turn of an event loop", level: .warning, category: "event-loop",
        data: ["nanoseconds": took, "tasks": info.numberOfTasks])
    }
  }
#endif
