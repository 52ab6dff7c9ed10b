import IncidentModel

/// Finds what a report shows of main-queue work off the main queue.
///
/// A report that does not show it for certain gives none: silence is better than a false alarm.
enum OffMainReading {
  /// The report with the violation that its failure shows, if it shows one.
  static func judged(_ report: CrashReport) -> CrashReport {
    guard report.violations.isEmpty, let failure = report.failure,
      let violation = violation(failure, report)
    else { return report }
    var report = report
    report.violations = [violation]
    return report
  }

  private static func violation(
    _ failure: CrashReport.Failure, _ report: CrashReport
  ) -> CrashReport.Violation? {
    let failed = report.failed
    guard failed?.isMain != true, !isForked(failure) else { return nil }
    let frames = failure.thrown.isEmpty ? failed?.frames ?? [] : failure.thrown
    for text in failure.texts {
      if case .offMainUI(let api) = Messages.meaning(of: text) {
        return CrashReport.Violation(api: api, thread: failure.thread ?? 0, frames: frames)
      }
    }
    return nil
  }

  /// A child that was forked from the main thread fails its checks without having broken anything.
  private static func isForked(_ failure: CrashReport.Failure) -> Bool {
    failure.texts.contains { $0.contains("child side of fork") }
  }
}
