import CrashAnalysis
import Foundation
import IncidentModel

/// Runs `body` in a child process, and fails the test unless it crashes as expected.
///
/// The child records its crash, and the test compares what `crashscan` finds in that log. `body` runs
/// on the child's main thread; then the child runs its main queue.
///
///     await expectCrash(.isolationTrap, culprit: "PriceScreen.received") {
///       let screen = PriceScreen()
///       DispatchQueue.global().async { screen.received([]) }
///     }
///
/// `finding` must be in the child's log, and `culprit` must be a part of the name of the function to open first. The
/// crash may take as long as `wait` after `body` has returned. `body` must not capture anything: another process runs
/// it.
public func expectCrash(
  _ finding: ExpectedFinding, culprit: String? = nil, within wait: Duration = .seconds(2),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: @convention(c) () -> Void
) async {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    let expectation = CrashExpectation(finding: finding, culprit: culprit)
    let disagreement = try await expectation.disagreement(with: body, within: wait)
    if let disagreement { place.fail(disagreement) }
  } catch {
    place.fail("expected \(finding.rule), but the child could not be run: \(error)")
  }
}

/// How a child is to die.
private struct CrashExpectation {
  let finding: ExpectedFinding
  let culprit: String?

  /// In what the death of a child that runs `body` differs; nil where it does not.
  func disagreement(
    with body: @convention(c) () -> Void, within wait: Duration
  ) async throws -> String? {
    guard let code = CodeAddress(unsafeBitCast(body, to: UInt.self)) else {
      throw StormError(description: "the body is not in any module")
    }
    let milliseconds = Int(wait / .milliseconds(1))
    let child = try await TestChild.run(
      .run(waiting: milliseconds), code: code, patience: 60 + wait / .seconds(1))
    defer { child.discard() }
    return try judge(child)
  }

  private func judge(_ child: TestChild) throws -> String? {
    guard child.signal != 0 else {
      return child.status == 0
        ? "expected \(wanted), but nothing crashed"
        : "expected \(wanted), but the child exited with \(child.status): \(child.errors)"
    }
    if child.wasLate { return "expected \(wanted), but the child did not end in time" }
    let log = try ChildLog(child.order.log)
    let found = log.report.entries.map(\.finding).filter { $0.rule == finding.rule }
    if found.contains(where: isBlamed) { return nil }
    let instead = found.compactMap(\.culprit?.function).joined(separator: ", ")
    let difference = instead.isEmpty ? "that was not found" : "the culprit is \(instead)"
    return "expected \(wanted), but \(difference); the report says:\n\(log.text)"
  }

  private func isBlamed(_ finding: Finding) -> Bool {
    culprit.map { finding.culprit?.function.contains($0) ?? false } ?? true
  }

  private var wanted: String { culprit.map { "\(finding.rule) by \($0)" } ?? finding.rule }
}
