import AffinityTesting
import CrashAnalysis
import CrashscanOutput
import LogReading
import TextOutput

extension LogReport {
  /// Analyzes the log of a child.
  init(ofLog path: String) throws {
    var options = AnalysisOptions()
    // While a storm keeps the main queue, calls wait for one another however slow the machine is.
    options.thresholds.stormWindow = .max
    let analyzer = Analyzer(options: options, symbols: FileSymbols())
    let report = Report(try analyzer.analyze(LogReader(path: path).events(), input: path))
    self.init(
      // Without what to do with the log, which is removed with the child.
      text: TextReporter(layout: TextLayout(), keepsInputs: false).write(report),
      findings: report.entries.map(\.finding).map {
        Finding(rule: $0.rule, culprit: $0.culprit?.function, isNote: $0.severity == .note)
      })
  }
}
