import CrashAnalysis
import Foundation
import IncidentModel

internal import CTestProcess

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
  await CrashExpectation(finding: finding, culprit: culprit).expect(
    .run(isAsync: false, waiting: wait.milliseconds), at: CodeAddress(of: ms_address_of(body)),
    from: place)
}

/// Runs an asynchronous `body` in a child process, and fails the test unless it crashes as expected.
///
///     await expectCrash(.isolationTrap) { await PriceScreen().refresh() }
///
/// `body` runs in a task of no actor. It must not capture anything, and the test fails if it does.
public func expectCrash(
  _ finding: ExpectedFinding, culprit: String? = nil, within wait: Duration = .seconds(2),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: @escaping @Sendable () async -> Void
) async {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    let code = try AsyncBody(body: body).place(orElse: .capturingCrash)
    await CrashExpectation(finding: finding, culprit: culprit).expect(
      .run(isAsync: true, waiting: wait.milliseconds), at: code, from: place)
  } catch {
    place.fail("\(error)")
  }
}

extension StormError {
  fileprivate static let capturingCrash = StormError(
    description: "expectCrash needs a body that captures nothing, for another process runs it")
}

/// How a child is to die.
private struct CrashExpectation {
  let finding: ExpectedFinding
  let culprit: String?

  /// Fails the test where a child's death is not the expected one.
  func expect(_ task: ChildOrder.Task, at code: CodeAddress?, from place: TestPlace) async {
    do {
      try finding.check()
      if let disagreement = try await disagreement(with: task, at: code) {
        place.fail(disagreement)
      }
    } catch {
      place.fail("expected \(finding.rule), but the child could not be run: \(error)")
    }
  }

  /// In what the death of a child differs; nil where it does not.
  private func disagreement(
    with task: ChildOrder.Task, at code: CodeAddress?
  ) async throws -> String? {
    guard let code else { throw StormError.unknownBody }
    var patience = 60.0
    if case .run(_, let wait) = task { patience += Double(wait) / 1000 }
    let child = try await TestChild.run(task, code: code, patience: patience)
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

extension Duration {
  fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
