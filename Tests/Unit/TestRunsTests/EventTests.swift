import Testing

@testable import TestRuns

/// What test libraries say, as events.
@Suite("Events of tests") struct EventTests {
  private static let test =
    #"{"kind":"test","payload":{"id":"M.Suite/runs()/T.swift:5:4","kind":"function","name":"runs()","sourceLocation":{"filePath":"/p/T.swift","line":5,"column":4}},"version":0}"#
  private static let name = TestName(
    .swiftTesting, id: "M.Suite/runs()/T.swift:5:4", file: "/p/T.swift", line: 5)

  private static func event(_ kind: String, _ more: String = "") -> String {
    #"{"kind":"event","payload":{"kind":""# + kind
      + #"","instant":{"absolute":7.5,"since1970":1},"testID":"M.Suite/runs()/T.swift:5:4""# + more
      + #"},"version":0}"#
  }

  private func events(_ lines: [String]) -> [TestEvent] {
    var stream = EventStream()
    return lines.compactMap { stream.event(in: Array($0.utf8)[...])?.0 }
  }

  @Test func ofSwiftTestingArePutInWords() {
    let issue = Self.event(
      "issueRecorded",
      #","issue":{"isKnown":false,"sourceLocation":{"filePath":"/p/T.swift","line":6}},"messages":[{"symbol":"fail","text":"no"}]"#
    )
    #expect(
      events([
        Self.test, Self.event("testStarted"), issue, Self.event("testEnded"),
        Self.event("runEnded"),
      ]) == [
        .listed(Self.name), .started(Self.name),
        .failed(Self.name, TestIssue("no", file: "/p/T.swift", line: 6)),
        .ended(Self.name, .failed), .runEnded,
      ])
  }

  @Test func issuesThatAreKnownOrWarningsFailNoTest() {
    let known = Self.event("issueRecorded", #","issue":{"isKnown":true}"#)
    let warning = Self.event("issueRecorded", #","issue":{"isKnown":false,"isFailure":false}"#)
    #expect(
      events([Self.test, known, warning, Self.event("testEnded")]).last
        == .ended(Self.name, .passed))
  }

  @Test(arguments: ["{", "", "null", #"{"kind":"event","payload":{"kind":"futureKind"}}"#])
  func unknownLinesAreSignsOfLife(line: String) { #expect(events([line]) == [.progressed]) }

  @Test func ofXCTestAreReadFromItsLines() {
    let test = TestName(.xcTest, id: "A.testB")
    var lines = XCTestLines()
    let found = [
      "Test Suite 'All tests' started at 1", "Test Case 'A.testB' started at 1",
      "/p/A.swift:12: error: A.testB : failed - a : b", "Test Case 'A.testB' failed (0.1 seconds)",
      "Test Suite 'A' failed at 2", "Test Suite 'All tests' failed at 2",
      "an error: none of a test", "Test Case 'A.testB' skipped (0.0 seconds)",
    ].map { lines.event(in: $0) }
    #expect(
      found == [
        .progressed, .started(test),
        .failed(test, TestIssue("failed - a : b", file: "/p/A.swift", line: 12)),
        .ended(test, .failed), .progressed, .runEnded, .progressed, .ended(test, .skipped),
      ])
  }

  @Test func entriesAreTakenOnlyWhole() {
    let whole = Array("5000000000 3\na\nb\n7 1\n".utf8)
    for size in 0..<whole.count - 1 {
      var bytes = whole[..<size]
      let first = XCTestLines.takeEntry(from: &bytes)
      #expect((first?.text == "a\nb") == (size >= 17), "\(size)")
      #expect(first == nil || first?.time == 5)
    }
  }
}
