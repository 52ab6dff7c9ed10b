import BreadcrumbLog
import CrashAnalysis
import IncidentModel
import ProcessTesting
import Symbolication

/// A run of a program that misbehaves, or behaves, and the log it left.
struct Misbehaviour {
  let log: String

  /// Runs the program to its end.
  init(_ way: String, isWrong: Bool) throws {
    log = TestFiles.path("\(way)-\(isWrong).log")
    _ = try ChildProcess.run("misbehave", [way, isWrong ? "wrong" : "right", log])
  }

  /// What the analysis says of it.
  func summary(_ options: AnalysisOptions = AnalysisOptions()) throws -> Summary {
    try analyzed(log, options)
  }

  func report() throws -> Report { Report(try summary()) }
}

/// What the analysis says of a log.
func analyzed(
  _ log: String, as input: String? = nil, _ options: AnalysisOptions = AnalysisOptions()
) throws -> Summary {
  let analyzer = Analyzer(options: options, symbols: Symbols())
  return try analyzer.analyze(LogReader(path: log).events(), input: input ?? log)
}

func analyzed(_ log: String, _ options: AnalysisOptions) throws -> Summary {
  try analyzed(log, as: nil, options)
}

/// The real symbolicator, as the analysis asks for one.
struct Symbols: SymbolSource {
  private var symbolicator = Symbolicator()

  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    symbolicator.frames(at: address, in: module)
  }
}
