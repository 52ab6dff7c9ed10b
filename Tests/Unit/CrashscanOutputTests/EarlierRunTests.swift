import Foundation
import ProcessTesting
import Testing

/// A log whose recorder kept the logs of earlier runs beside it.
@Suite struct EarlierRunTests {
  /// Records one run after another in one log, each as `misbehave` takes it.
  private func log(of runs: [String]...) throws -> String {
    let log = temporary("service.log")
    for run in runs { _ = try ChildProcess.run("misbehave", run + [log]) }
    return log
  }

  private func crashscan(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess.run("crashscan", arguments)
  }

  @Test func theNamedRunLeadsAndEarlierOnesAreOneLineEach() throws {
    let log = try log(
      of: ["plain-crash", "wrong"], ["plain-crash", "right"], ["off-main-ui", "wrong"])
    let run = try crashscan(log)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[1].isEmpty && lines[2].hasPrefix("error off-main-ui"), "\(run.output)")
    let section = try #require(lines.firstIndex(of: "  earlier runs"))
    let (one, two) = (lines[section + 1], lines[section + 2])
    #expect(
      one.contains("/service.1.log  ") && one.hasSuffix("  exited normally: no findings"), "\(one)")
    #expect(two.contains("/service.2.log  Index out of range in readPast(_:) ("), "\(two)")
    #expect(lines[section + 3].isEmpty)
    #expect(!run.output.contains("error crash-cause"))
    #expect(run.output.hasSuffix("\n1 finding, and 1 in earlier runs; --verbose shows all\n"))
    #expect(run.status == 1)
  }

  @Test func aCleanRunAfterACrashStillTellsOfTheCrash() throws {
    let log = try log(of: ["plain-crash", "wrong"], ["plain-crash", "right"])
    let run = try crashscan(log)
    #expect(run.output.contains("/service.1.log  Index out of range in readPast(_:) ("))
    #expect(run.output.hasSuffix("\nno findings, and 1 in earlier runs; --verbose shows all\n"))
    #expect(run.status == 1, "a finding of an earlier run counts")
  }

  @Test func theExampleOfACommonFindingIsThatOfTheNamedRun() throws {
    let log = try log(of: ["plain-crash", "wrong"], ["plain-crash", "wrong"])
    let run = try crashscan(log, "--format", "json")
    #expect(run.output.contains("\"recordings\":2"))
    #expect(run.output.contains(#/"title":"[^"]*","input":"[^"]*/service\.log"/#))
    let text = try crashscan(log)
    #expect(text.output.contains(", 2 times in 2 recordings"))
  }

  @Test func allFindingsAreWrittenInFullOnRequest() throws {
    let log = try log(of: ["plain-crash", "wrong"], ["off-main-ui", "wrong"])
    let output = try crashscan(log, "--verbose").output
    let led = try #require(output.range(of: "error off-main-ui"))
    let earlier = try #require(output.range(of: "error crash-cause"))
    #expect(led.lowerBound < earlier.lowerBound)
    #expect(!output.contains("earlier runs"))
  }
}
