import CrashAnalysis
import Testing

struct UIPatternTests {
  @Test func functionsThatAFileNamesAreUIWork() throws {
    var options = AnalysisOptions()
    try options.patterns.add(text: "# ours\nfunction Canvas.paint* as Canvas\n", path: "p")
    let painted = try Misbehaviour("toolkit", isWrong: true)
    let entry = try #require(Report(try painted.summary(options)).entries.first)
    #expect(entry.finding.rule == "off-main-ui")
    #expect(entry.finding.api == "Canvas.paint() (Canvas)")
    #expect(entry.finding.culprit?.function == "closure #1 in toolkit(_:)")
    #expect(try painted.report().entries.isEmpty, "without the file nothing is known of it")
    #expect(Report(try Misbehaviour("toolkit", isWrong: false).summary(options)).entries.isEmpty)
  }

  @Test(arguments: ["view UIView", "function", "module  as X"])
  func lineThatSaysNothingIsNamed(_ line: String) {
    var patterns = UIPatterns.builtIn
    #expect(throws: PatternError.self) { try patterns.add(text: "\n\(line)\n", path: "p") }
  }
}
