#if NIO
  public import Breadcrumbs
  internal import NIOCore
  public import NIOPosix

  /// Leaves a crumb for each turn of an event loop that takes long: how many tasks it ran, and how long that took.
  ///
  ///     let ticks = EventLoopTickRecorder(recorder: diagnostics.recorder)
  ///     let group = MultiThreadedEventLoopGroup(numberOfThreads: 4, metricsDelegate: ticks)
  ///
  /// The crumb has the loop's thread, and so its name. A turn that is short costs a comparison.
  public struct EventLoopTickRecorder: NIOEventLoopMetricsDelegate {
    private let recorder: BreadcrumbRecorder
    private let nanoseconds: Int64

    /// - Parameters:
    ///   - recorder: Takes the crumbs.
    ///   - threshold: Turns that take less leave none.
    public init(recorder: BreadcrumbRecorder, longerThan threshold: Duration = .milliseconds(50)) {
      self.recorder = recorder
      let (seconds, attoseconds) = threshold.components
      nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// For the loop to call.
    public func processedTick(info: NIOEventLoopTickInfo) {
      let took = (info.endTime - info.startTime).nanoseconds
      guard took >= nanoseconds else { return }
      recorder.record(
        "long turn of an event loop", level: .warning, category: "event-loop",
        data: ["nanoseconds": took, "tasks": info.numberOfTasks])
    }
  }
#endif
