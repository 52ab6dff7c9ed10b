public import AffinityTesting

extension CallbackStorm {
  /// Runs the storm. If a schedule fails, or a rule reports a finding for its log, fails the test
  /// with the fewest deliveries that still show the failure or the finding.
  ///
  ///     try await storm.run(forbidding: .uiAfterBackground, "late-delivery", against: { scenario in … })
  ///
  /// Each schedule runs in a child process, so `body` must not capture anything. The rules must
  /// report no finding, except notes, for the log of a schedule.
  public func run(
    forbidding finding: ExpectedFinding, _ others: ExpectedFinding...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, against body: @escaping Body
  ) async throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let bug = try await search(forbidding: [finding] + others, against: body)
    if let bug { place.fail("\(bug)") }
  }

  /// Runs the storm as `run` does, but returns the bug instead of failing the test.
  ///
  /// - Returns: The bug, with the fewest deliveries that still show it; nil if the storm found no
  ///   bug.
  public func findBug(
    forbidding finding: ExpectedFinding, _ others: ExpectedFinding...,
    against body: @escaping Body
  ) async throws -> StormBug? {
    try await search(forbidding: [finding] + others, against: body)
  }

  private func search(
    forbidding findings: [ExpectedFinding], against body: @escaping Body
  ) async throws -> StormBug? {
    for finding in findings { try finding.check() }
    return try await search(
      inChildren: true, forbidding: Set(findings.map(\.rule)), against: body)
  }
}
