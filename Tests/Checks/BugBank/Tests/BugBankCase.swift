import XCTest

/// Every bug of the bank, by XCTest.
final class BugBankCase: BankCase {
  func testLabelOffMain() async throws { try await Bug.labelOffMain.test() }
  func testLabelInAStorm() async throws { try await Bug.labelInAStorm.test() }
  func testShownAfterClose() async throws { try await Bug.shownAfterClose.test() }
  func testLayoutInBackground() async throws { try await Bug.layoutInBackground.test() }
  func testAnsweredTwice() async throws { try await Bug.answeredTwice.test() }
  func testDelegateTraps() async throws { try await Bug.delegateTraps.test() }
  func testTrapBehindAQueue() async throws { try await Bug.trapBehindAQueue.test() }
  func testLatePicture() async throws { try await Bug.latePicture.test() }
  func testOlderAnswerWins() async throws { try await Bug.olderAnswerWins.test() }
  func testNotifiedOffMain() async throws { try await Bug.notifiedOffMain.test() }
  func testNotifiedAfterClose() async throws { try await Bug.notifiedAfterClose.test() }
  func testTimerAfterCancel() async throws { try await Bug.timerAfterCancel.test() }
  func testSavedTwice() async throws { try await Bug.savedTwice.test() }
  func testBackgroundTaskLeaks() async throws { try await Bug.backgroundTaskLeaks.test() }
  func testLoadedTwice() async throws { try await Bug.loadedTwice.test() }
  func testOverdrawn() async throws { try await Bug.overdrawn.test() }
  func testLostUpdate() async throws { try await Bug.lostUpdate.test() }
  func testTasksOvertake() async throws { try await Bug.tasksOvertake.test() }
  func testOlderAsyncAnswerWins() async throws { try await Bug.olderAsyncAnswerWins.test() }
  func testFilledAfterClose() async throws { try await Bug.filledAfterClose.test() }
  func testRowsOffTheirQueue() async throws { try await Bug.rowsOffTheirQueue.test() }
  func testLedgerOutsideItsActor() async throws { try await Bug.ledgerOutsideItsActor.test() }
  func testCountsTooFew() async throws { try await Bug.countsTooFew.test() }
  func testOpenedTwice() async throws { try await Bug.openedTwice.test() }
  func testTwoEnds() async throws { try await Bug.twoEnds.test() }
  func testRacesThatTrap() async throws { try await Bug.racesThatTrap.test() }
  func testTornTally() async throws { try await Bug.tornTally.test() }
  func testChangedWhileTold() async throws { try await Bug.changedWhileTold.test() }
  func testWaitsForItself() async throws { try await Bug.waitsForItself.test() }
  func testMainWaitsForMain() async throws { try await Bug.mainWaitsForMain.test() }
  func testResumedTwice() async throws { try await Bug.resumedTwice.test() }
  func testShownOutOfOrder() async throws { try await Bug.shownOutOfOrder.test() }
}
