/// A report of a test library.
package enum TestEvent: Hashable, Sendable {
  /// The library is going to run this test.
  case listed(TestName)
  case started(TestName)
  case ended(TestName, TestResult)
  /// A failure of a test; of none if the library does not know whose it is.
  case failed(TestName?, TestIssue)
  /// Anything else: the library works.
  case progressed
  /// All tests have ended.
  case runEnded
}

/// How a test ended, as the library says.
package enum TestResult: Hashable, Sendable {
  case passed, failed, skipped
}

/// A failure that a test recorded.
package struct TestIssue: Hashable, Sendable {
  package var message: String
  package var file: String?
  package var line: Int?

  package init(_ message: String, file: String? = nil, line: Int? = nil) {
    self.message = message
    self.file = file
    self.line = line
  }
}
