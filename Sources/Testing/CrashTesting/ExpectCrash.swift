import AffinityTesting

/// Runs `body` in a child process, and fails the test unless the child crashes as expected.
///
/// The child records its crash, and the test analyzes the log as `crashscan` does. `body` runs on
/// the child's main thread; then the child runs its main queue.
///
///     await expectCrash(.isolationTrap, culprit: "PriceScreen.received") {
///       let screen = PriceScreen()
///       DispatchQueue.global().async { screen.received([]) }
///     }
///
/// The log must have the finding `finding`, and `culprit` must be a part of the culprit's function
/// name. The crash may occur up to `wait` after `body` has returned. `body` must not capture
/// anything, because another process runs it.
public func expectCrash(
  _ finding: ExpectedFinding, culprit: String? = nil, within wait: Duration = .seconds(2),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: @convention(c) () -> Void
) async {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  await CrashExpectation(finding: finding, culprit: culprit).expect(at: place) {
    try await TestChild.run(body, within: wait)
  }
}

/// Runs an asynchronous `body` in a child process, and fails the test unless the child crashes as
/// expected.
///
///     await expectCrash(.isolationTrap) { await PriceScreen().refresh() }
///
/// `body` runs in a task without an actor. The test fails if `body` captures anything.
public func expectCrash(
  _ finding: ExpectedFinding, culprit: String? = nil, within wait: Duration = .seconds(2),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: @escaping @Sendable () async -> Void
) async {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  await CrashExpectation(finding: finding, culprit: culprit).expect(at: place) {
    try await TestChild.run(body, within: wait)
  }
}

/// The expected crash of a child process.
private struct CrashExpectation {
  let finding: ExpectedFinding
  let culprit: String?

  /// Calls `run` to run a child, and fails the test unless the child crashes as expected.
  func expect(at place: TestPlace, _ run: () async throws -> TestChild) async {
    do {
      try finding.check()
      let child = try await run()
      defer { child.discard() }
      if let mismatch = try mismatch(of: child) { place.fail(mismatch) }
    } catch {
      place.fail("expected \(finding.rule), but the child process could not run: \(error)")
    }
  }

  /// Describes the mismatch, or nil if the child died as expected.
  private func mismatch(of child: TestChild) throws -> String? {
    guard child.signal != 0 else {
      return child.status == 0
        ? "expected \(wanted), but the child process did not crash"
        : "expected \(wanted), but the child process exited with status \(child.status): \(child.errors)"
    }
    if child.wasLate { return "expected \(wanted), but the child process did not end in time" }
    let report = try LogReport(ofLog: child.log)
    let found = report.findings.filter { $0.rule == finding.rule }
    if found.contains(where: isBlamed) { return nil }
    let instead = found.compactMap(\.culprit).joined(separator: ", ")
    let difference = instead.isEmpty ? "this finding was not reported" : "the culprit is \(instead)"
    return "expected \(wanted), but \(difference); the report is:\n\(report.text)"
  }

  private func isBlamed(_ finding: LogReport.Finding) -> Bool {
    culprit.map { finding.culprit?.contains($0) ?? false } ?? true
  }

  private var wanted: String { culprit.map { "\(finding.rule) by \($0)" } ?? finding.rule }
}
