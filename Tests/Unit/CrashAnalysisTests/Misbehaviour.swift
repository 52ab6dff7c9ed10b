import LogReading
import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Symbolication

/// Runs of a program that misbehaves, or behaves, and the logs they left.
struct Misbehaviour {
  /// The last run's log; those of the runs before it stand beside it, as the recorder keeps them.
  let log: String
  /// How the last run ended.
  let end: ChildProcess

  /// Runs the program to its end, so many times one after the other.
  init(_ way: String, isWrong: Bool, runs: Int = 1, in group: MemoryGroup? = nil) throws {
    log = TestFiles.path("\(way)-\(isWrong).log")
    let arguments = [way, isWrong ? "wrong" : "right", log]
    for _ in 1..<runs { _ = try ChildProcess.run("misbehave", arguments) }
    if let group {
      let program = "\(ChildProcess.directory)/misbehave"
      end = try ChildProcess.run(
        path: "/bin/sh", group.command + [program] + arguments)
    } else {
      end = try ChildProcess.run("misbehave", arguments)
    }
  }

  /// What the analysis says of all its logs.
  func summary(_ options: AnalysisOptions = AnalysisOptions()) throws -> Summary {
    let directory = URL(fileURLWithPath: log).deletingLastPathComponent()
    let logs = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".log") }
    return try logs.sorted().reduce(into: Summary()) { whole, name in
      whole.merge(try analyzed(directory.appendingPathComponent(name).path, options))
    }
  }

  /// What really happened, for a test that expected something else.
  var story: String {
    let crumbs = (try? LogReader(path: log).read().crumbs.map(\.message)) ?? ["no log"]
    return "signal \(end.signal), status \(end.status), crumbs \(crumbs)\n\(end.everything)"
  }

  func report(_ options: AnalysisOptions = AnalysisOptions()) throws -> Report {
    Report(try summary(options))
  }
}

extension AnalysisOptions {
  /// For a program that does nothing slowly itself: a busy machine may hold it up, and that is no finding.
  static let unhurried: AnalysisOptions = {
    var options = AnalysisOptions()
    options.thresholds.mainBlocked = 600_000_000_000
    options.thresholds.slowHop = 600_000_000_000
    return options
  }()
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
