import LogReading
import CrashAnalysis
import IncidentModel
import CrashscanOutput
import Symbolication
import Synchronization
import TextOutput

/// What the analysis says of the log that a child left.
struct ChildLog: Sendable {
  let report: Report

  init(_ path: String) throws {
    var options = AnalysisOptions()
    // While a storm keeps the main queue, calls wait for one another however slow the machine is.
    options.thresholds.stormWindow = .max
    let analyzer = Analyzer(options: options, symbols: FileSymbols())
    report = Report(try analyzer.analyze(LogReader(path: path).events(), input: path))
  }

  /// The report as `crashscan` prints it, but for what to do with a log that goes with the child.
  var text: String { TextReporter(layout: TextLayout(), keepsInputs: false).write(report) }
}

/// Names from the files of the modules. All children are of this program, whose file is read once.
private struct FileSymbols: SymbolSource {
  private static let symbolicator = Mutex(Symbolicator())

  func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    Self.symbolicator.withLock { $0.frames(at: address, in: module) }
  }
}
