import Testing
import XCTest

/// The place in a test that a failure is shown at.
package struct TestPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// Fails the test that the caller is part of, whichever library runs it.
  ///
  /// Neither library takes failures from other threads, or the other's: both drop them in silence.
  package func fail(_ text: String) {
    guard Test.current != nil else { return XCTFail(text, file: filePath, line: line) }
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }

  private var sourceLocation: SourceLocation {
    SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}
