import AffinityTesting
import CrashAnalysis
import CrashscanOutput
import LogReading
import TextOutput

extension LogReport {
  /// Analyzes the log of a child.
  init(ofLog path: String) throws {
    var options = AnalysisOptions()
    // While a storm holds the main queue, calls may wait for each other for any time on a slow
    // machine, so the window is unlimited, and a call may wait until the end.
    options.thresholds.stormWindow = .max
    options.thresholds.undelivered = .max
    let analyzer = Analyzer(options: options, symbols: FileSymbols())
    let report = Report(try analyzer.analyze(LogReader(path: path).events(), input: path))
    self.init(
      // The log is removed with the child, so the report contains no advice about using the log.
      text: TextReporter(layout: TextLayout(), keepsInputs: false).write(report),
      findings: report.entries.map(\.finding).map {
        Finding(rule: $0.rule, culprit: $0.culprit?.function, isNote: $0.severity == .note)
      })
  }
}
