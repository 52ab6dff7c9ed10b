import IncidentModel
import Testing

@testable import CrashAnalysis

/// What is proposed, as code.
struct FixTests {
  /// The code of a hop in a closure whose line leads to the work.
  private func code(at source: String?, of work: String = "Feed.show(_:)") -> [String] {
    var culprit = CodePlace(function: "closure #1 in Feed.load()", module: "App")
    culprit.source = source
    let frames = [
      CodePlace(function: work, module: "App"), culprit,
      CodePlace(function: "Download.finish()", module: "App"),
    ].map { Frame(place: $0, role: .code, isInlined: false, isNamed: true) }
    return Fixes.hop(StackReading(frames), culprit: culprit).code
  }

  @Test func theLineThatLedToTheWorkIsBroughtToTheMainQueue() {
    #expect(
      code(at: "self.show(prices)") == [
        "DispatchQueue.main.async { [weak self] in", "  guard let self else { return }",
        "  self.show(prices)", "}",
      ])
  }

  @Test func aGenericFunctionIsCalledByItsNameAlone() {
    let work = "Session.post<A>(_:completion:)"
    #expect(code(at: "session.post(prices) { end() }", of: work)[2].contains("session.post("))
    #expect(code(at: nil, of: work)[2] == "  post(…)")
  }

  @Test func onlyAFunctionOfTheSameTypeIsCalledOnSelf() {
    #expect(code(at: nil)[2] == "  self.show(…)")
    #expect(code(at: nil, of: "Board.show(_:)")[2] == "  show(…)")
  }

  @Test(arguments: [
    ("self?.show(rows)", "self.show(rows)"),
    ("if let last { self?.show(last) }", "if let last { self.show(last) }"),
    ("show(rows) { [weak self] in self?.end() }", "show(rows) { [weak self] in self?.end() }"),
    ("self?.show { [weak self] in self?.end() }", "self.show { [weak self] in self?.end() }"),
  ])
  func aLineThatHeldSelfWeaklyCompilesAfterTheGuard(line: String, body: String) {
    #expect(code(at: line)[2] == "  \(body)")
  }

  @Test(arguments: [
    ("load(7) { [weak self] answer in self?.show(answer) }", "self.show(answer)"),
    ("load(7, completion: { [weak self] answer in self?.show(answer) })", "self.show(answer)"),
    ("load(7) { [self] answer in show(answer) }", "show(answer)"),
  ])
  func theHopGoesIntoAClosureThatStandsOnOneLineWithItsCall(line: String, body: String) {
    #expect(code(at: line)[2] == "  \(body)")
  }
}
