import IncidentModel
import Testing

@testable import CrashAnalysis

@Suite struct MendTests {
  /// The sketch of a hop in a closure whose line leads to the work.
  private func sketch(line: String) -> [String] {
    var culprit = CodePlace(function: "closure #1 in Feed.refresh()", module: "App")
    culprit.source = line
    let frames = ["Feed.show(_:)", culprit.function].map { name in
      Frame(
        place: CodePlace(function: name, module: "App"), role: .code, isInlined: false,
        isNamed: true)
    }
    return Mends.hop(StackReading(frames), culprit: culprit).sketch
  }

  @Test(arguments: [
    ("self?.show(rows)", "self.show(rows)"), ("self.show(rows)", "self.show(rows)"),
    ("show(rows) { [weak self] in self?.end() }", "show(rows) { [weak self] in self?.end() }"),
  ])
  func aSketchUnwrapsSelfOnceOnly(line: String, body: String) {
    #expect(
      sketch(line: line) == [
        "DispatchQueue.main.async { [weak self] in", "  guard let self else { return }",
        "  \(body)", "}",
      ])
  }
}
