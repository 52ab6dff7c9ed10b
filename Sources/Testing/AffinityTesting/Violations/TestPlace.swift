import Testing
import XCTest

/// The source location of a test at which a failure is reported.
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

  /// Fails the test that calls this function, in Swift Testing or in XCTest.
  ///
  /// Each library silently drops failures from threads outside a test, and failures reported
  /// through the other library.
  package func fail(_ text: String) {
    guard Test.current != nil else { return XCTFail(text, file: filePath, line: line) }
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }

  private var sourceLocation: SourceLocation {
    SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}
