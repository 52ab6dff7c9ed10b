public import Testing

/// A trait that fails a test for each call that blocks a shared thread while the test runs.
///
///     @Suite(.serialized, .noBlocking)
///     struct PricesTests { … }
public struct BlockingChecked: TestTrait, SuiteTrait {
  let threshold: Duration

  /// True: all tests of a suite are checked.
  public var isRecursive: Bool { true }

  /// Runs a test and reports the blocking calls as issues.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let session = BlockingSession(
      on: [.cooperativePool, .eventLoops, .mainQueue], longerThan: threshold)
    defer {
      for problem in session.end() {
        Issue.record(Comment(rawValue: problem), sourceLocation: test.sourceLocation)
      }
    }
    try await function()
  }
}

extension Trait where Self == BlockingChecked {
  /// Fails the test for each call that blocks a shared thread for 5 ms or longer.
  public static var noBlocking: BlockingChecked { noBlocking(longerThan: .milliseconds(5)) }

  /// Fails the test for each call that blocks a shared thread for `threshold` or longer.
  public static func noBlocking(longerThan threshold: Duration) -> BlockingChecked {
    BlockingChecked(threshold: threshold)
  }
}
