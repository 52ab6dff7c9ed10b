import IncidentModel

extension CodePlace {
  /// True for code that SwiftPM generates, such as the main program of a test bundle.
  package var isGenerated: Bool { file?.contains(".derived/") == true }
}

extension Frame {
  /// True for the functions of XCTest that wait for an expectation, which they do for a limited time.
  package var waitsForExpectation: Bool {
    ["XCTestCase.wait", "XCTestCase.fulfillment(", "XCTWaiter."].contains(
      where: place.function.hasPrefix)
  }
}
