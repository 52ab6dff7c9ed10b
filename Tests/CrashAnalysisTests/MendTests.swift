import IncidentModel
import Testing

@testable import CrashAnalysis

/// What is proposed, as code.
struct MendTests {
  private func sketch(at source: String?, of work: String = "Feed.show(_:)") -> [String] {
    var culprit = CodePlace(function: "closure #1 in Feed.load()", module: "App")
    culprit.source = source
    let frames = [
      CodePlace(function: work, module: "App"), culprit,
      CodePlace(function: "Download.finish()", module: "App"),
    ].map { Frame(place: $0, role: .code, isInlined: false, isNamed: true) }
    return Mends.hop(StackReading(frames), culprit: culprit).sketch
  }

  @Test func theLineThatLedToTheWorkIsBroughtToTheMainQueue() {
    #expect(
      sketch(at: "self.show(prices)") == [
        "DispatchQueue.main.async { [weak self] in", "  guard let self else { return }",
        "  self.show(prices)", "}",
      ])
  }

  @Test func aGenericFunctionIsCalledByItsNameAlone() {
    let work = "Session.post<A>(_:completion:)"
    #expect(sketch(at: "session.post(prices) { end() }", of: work)[2].contains("session.post("))
    #expect(sketch(at: nil, of: work)[2] == "  post(…)")
  }

  @Test func onlyAFunctionOfTheSameTypeIsCalledOnSelf() {
    #expect(sketch(at: nil)[2] == "  self.show(…)")
    #expect(sketch(at: nil, of: "Board.show(_:)")[2] == "  show(…)")
  }

  @Test func aLineThatHeldSelfWeaklyIsMadeToCompileAfterTheGuard() {
    #expect(sketch(at: "self?.show(prices)")[2] == "  self.show(prices)")
    let nested = "self.show(prices) { [weak self] in self?.end() }"
    #expect(sketch(at: nested)[2] == "  \(nested)")
    #expect(
      sketch(at: "if let last { self?.show(last) }")[2] == "  if let last { self.show(last) }")
  }
}
