import CrashAnalysis
import IncidentModel
import Testing

struct FingerprintTests {
  private func finding(line: Int, function: String = "Feed.refresh()") -> Finding {
    var finding = Finding(
      rule: "off-main-ui", severity: .error, title: "at line \(line)",
      culprit: CodePlace(function: function, module: "App", file: "Feed.swift", line: line),
      api: "layout", fix: Finding.Fix(""), identity: "layout", defect: "")
    finding.wall = UInt64(line)
    return finding
  }

  @Test func movedLinesAreTheSameFinding() {
    #expect(finding(line: 10).fingerprint == finding(line: 99).fingerprint)
  }

  @Test func anotherFunctionIsAnotherFinding() {
    #expect(finding(line: 10).fingerprint != finding(line: 10, function: "Feed.load()").fingerprint)
  }

  @Test func fingerprintsAreTheSameInEveryProcess() {
    #expect(finding(line: 1).fingerprint == "22b0c7448863a004")
  }

  @Test func anotherRunHasTheSameFindings() throws {
    let runs = try (0..<2).map { _ in
      try Set(Misbehaviour("unhopped-callback", isWrong: true).report().entries.map(\.fingerprint))
    }
    #expect(runs[0] == runs[1])
    #expect(!runs[0].isEmpty)
  }

  @Test func baselineHidesWhatItHas() throws {
    let summary = try Misbehaviour("unhopped-callback", isWrong: true).summary()
    let known = Set(Report(summary).entries.map(\.fingerprint))
    let report = Report(summary, baseline: known)
    #expect(report.entries.allSatisfy { $0.isKnown })
    #expect(report.worst == nil)
    #expect(Report(summary).worst == .error)
  }
}
