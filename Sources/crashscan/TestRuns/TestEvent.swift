/// An event that a test library reports.
package enum TestEvent: Hashable, Sendable {
  /// The library will run this test.
  case listed(TestName)
  case started(TestName)
  case ended(TestName, TestResult)
  /// A failure of a test; the name is nil if the library does not know the test.
  case failed(TestName?, TestIssue)
  /// Any other event, which shows that the library makes progress.
  case progressed
  /// All tests have ended.
  case runEnded
}

/// The result of a test according to the library.
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

  /// The place and the message.
  package var shown: String {
    guard let file, let line else { return message }
    return "\(file):\(line): \(message)"
  }
}
