/// Separates thread names from queue labels for recorders that store both in one field.
enum ThreadLabels {
  /// The report with thread names moved to `name`: a thread whose stack begins at the thread's
  /// start runs no queue.
  static func judged(_ report: CrashReport) -> CrashReport {
    guard [.sentry, .bugsnag, .crashlyticsText].contains(report.format) else { return report }
    var report = report
    for place in report.threads.indices {
      let thread = report.threads[place]
      guard let label = thread.queue, thread.name.isEmpty, thread.isMain != true else { continue }
      let isFailed = thread.number == report.failure?.thread
      let thrown = isFailed ? report.failure?.thrown ?? [] : []
      let frames = thrown.isEmpty ? thread.frames : thrown
      guard isOfThread(frames) else { continue }
      report.threads[place].name = label
      report.threads[place].queue = nil
    }
    return report
  }

  private static func isOfThread(_ frames: [CrashReport.Frame]) -> Bool {
    if frames.contains(where: \.isManaged) { return true }
    let isStart = frames.suffix(3).contains { frame in
      ["thread_start", "_pthread_start", "__NSThread__start__"].contains(
        where: frame.symbol.hasPrefix)
    }
    return isStart
      && !frames.contains { frame in
        ["_dispatch_", "_pthread_wqthread", "start_wqthread"].contains(
          where: frame.symbol.hasPrefix)
      }
  }
}
