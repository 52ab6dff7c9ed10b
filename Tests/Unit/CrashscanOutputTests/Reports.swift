import LogReading
import CrashAnalysis
import IncidentModel
import ProcessTesting
import CrashscanOutput
import TextOutput

/// The log of a program that misbehaves.
func logOfMisbehaviour(_ way: String) throws -> String {
  let log = temporary("\(way).log")
  _ = try ChildProcess.run("misbehave", [way, "wrong", log])
  return log
}

func report(on log: String, input: String? = nil) throws -> Report {
  Report(try Analyzer().analyze(LogReader(path: log).events(), input: input ?? log))
}

/// Every format.
let reporters: [(name: String, reporter: any Reporter)] = [
  ("text", TextReporter(layout: TextLayout(width: 100), isVerbose: true)),
  ("colours", TextReporter(layout: TextLayout(palette: .coloured))),
  ("json", JSONReporter()), ("sarif", SARIFReporter(version: "1.0.0", layout: TextLayout())),
  ("github", GitHubReporter(layout: TextLayout())), ("gcc", GCCReporter(layout: TextLayout())),
  ("junit", JUnitReporter()),
  ("html", HTMLReporter(version: "1.0.0")),
]

func reporter(_ name: String) -> any Reporter { reporters.first { $0.name == name }!.reporter }

/// A path that nothing else uses.
func temporary(_ name: String) -> String { TestFiles.path(name) }
