public import Testing
public import ThreadAffinity

/// A trait that fails a test for each violation on any thread while the test runs.
///
///     @Suite(.affinityChecked)
///     struct PricesTests { … }
public struct AffinityChecked: TestTrait, SuiteTrait {
  let allowances: [ViolationAllowance]

  /// True: all tests of a suite are checked.
  public var isRecursive: Bool { true }

  /// Runs a test and reports its violations as issues.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let session = ViolationSession(allowing: allowances)
    defer {
      for problem in session.problems {
        Issue.record(Comment(rawValue: problem.text), sourceLocation: test.sourceLocation)
      }
    }
    try await session.run(function)
  }
}

extension Trait where Self == AffinityChecked {
  /// Fails the test for each violation while the test runs.
  public static var affinityChecked: AffinityChecked { AffinityChecked(allowances: []) }

  /// Fails the test for each violation while the test runs, except for violations that `allowances`
  /// cover.
  public static func affinityChecked(allowing allowances: ViolationAllowance...) -> AffinityChecked
  {
    AffinityChecked(allowances: allowances)
  }
}
