import XCTest

/// Every bug of the bank, by XCTest.
final class BugBankCase: BankCase {
  func testLabelOffMain() async throws { try await check(.labelOffMain) }
  func testLabelInAStorm() async throws { try await check(.labelInAStorm) }
  func testShownAfterClose() async throws { try await check(.shownAfterClose) }
  func testLayoutInBackground() async throws { try await check(.layoutInBackground) }
  func testAnsweredTwice() async throws { try await check(.answeredTwice) }
  func testDelegateTraps() async throws { try await check(.delegateTraps) }
  func testTrapBehindAQueue() async throws { try await check(.trapBehindAQueue) }
  func testLatePicture() async throws { try await check(.latePicture) }
  func testOlderAnswerWins() async throws { try await check(.olderAnswerWins) }
  func testNotifiedOffMain() async throws { try await check(.notifiedOffMain) }
  func testNotifiedAfterClose() async throws { try await check(.notifiedAfterClose) }
  func testTimerAfterCancel() async throws { try await check(.timerAfterCancel) }
  func testSavedTwice() async throws { try await check(.savedTwice) }
  func testBackgroundTaskLeaks() async throws { try await check(.backgroundTaskLeaks) }
  func testLoadedTwice() async throws { try await check(.loadedTwice) }
  func testOverdrawn() async throws { try await check(.overdrawn) }
  func testLostUpdate() async throws { try await check(.lostUpdate) }
  func testTasksOvertake() async throws { try await check(.tasksOvertake) }
  func testOlderAsyncAnswerWins() async throws { try await check(.olderAsyncAnswerWins) }
  func testFilledAfterClose() async throws { try await check(.filledAfterClose) }
  func testRowsOffTheirQueue() async throws { try await check(.rowsOffTheirQueue) }
  func testLedgerOutsideItsActor() async throws { try await check(.ledgerOutsideItsActor) }
  func testCountsTooFew() async throws { try await check(.countsTooFew) }
  func testOpenedTwice() async throws { try await check(.openedTwice) }
  func testTwoEnds() async throws { try await check(.twoEnds) }
  func testRacesThatTrap() async throws { try await check(.racesThatTrap) }
  func testTornTally() async throws { try await check(.tornTally) }
  func testChangedWhileTold() async throws { try await check(.changedWhileTold) }
  func testWaitsForItself() async throws { try await check(.waitsForItself) }
  func testMainWaitsForMain() async throws { try await check(.mainWaitsForMain) }
  func testResumedTwice() async throws { try await check(.resumedTwice) }
  func testShownOutOfOrder() async throws { try await check(.shownOutOfOrder) }
}
