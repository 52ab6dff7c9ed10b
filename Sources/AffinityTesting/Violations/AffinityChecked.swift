public import Testing
public import ThreadAffinity

/// A trait that fails a test on any violation during it, on whichever thread it happens.
///
///     @Suite(.affinityChecked)
///     struct PricesTests { … }
public struct AffinityChecked: TestTrait, SuiteTrait, TestScoping {
  let allowances: [ViolationAllowance]

  /// Whether tests within a suite are checked: all of them are.
  public var isRecursive: Bool { true }

  /// Runs a test and reports its violations from the test's own task, at the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let session = ViolationSession(allowing: allowances)
    defer {
      for problem in session.problems {
        Issue.record(Comment(rawValue: problem), sourceLocation: test.sourceLocation)
      }
    }
    try await session.run(function)
  }
}

extension Trait where Self == AffinityChecked {
  /// Fails the test on any violation during it.
  public static var affinityChecked: AffinityChecked { AffinityChecked(allowances: []) }

  /// Fails the test on any violation during it that `allowances` do not cover.
  public static func affinityChecked(allowing allowances: ViolationAllowance...) -> AffinityChecked
  {
    AffinityChecked(allowances: allowances)
  }
}
