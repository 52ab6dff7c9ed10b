import ProcessTesting
import Testing

/// Every bug of the bank, by Swift Testing, all in parallel.
@Suite(.long) struct BugBankTests {
  @Test func labelOffMain() async throws { try await Bug.labelOffMain.test() }
  @Test func labelInAStorm() async throws { try await Bug.labelInAStorm.test() }
  @Test func shownAfterClose() async throws { try await Bug.shownAfterClose.test() }
  @Test func layoutInBackground() async throws { try await Bug.layoutInBackground.test() }
  @Test func answeredTwice() async throws { try await Bug.answeredTwice.test() }
  @Test func delegateTraps() async throws { try await Bug.delegateTraps.test() }
  @Test func trapBehindAQueue() async throws { try await Bug.trapBehindAQueue.test() }
  @Test func latePicture() async throws { try await Bug.latePicture.test() }
  @Test func olderAnswerWins() async throws { try await Bug.olderAnswerWins.test() }
  @Test func notifiedOffMain() async throws { try await Bug.notifiedOffMain.test() }
  @Test func notifiedAfterClose() async throws { try await Bug.notifiedAfterClose.test() }
  @Test func timerAfterCancel() async throws { try await Bug.timerAfterCancel.test() }
  @Test func savedTwice() async throws { try await Bug.savedTwice.test() }
  @Test func backgroundTaskLeaks() async throws { try await Bug.backgroundTaskLeaks.test() }
  @Test func loadedTwice() async throws { try await Bug.loadedTwice.test() }
  @Test func overdrawn() async throws { try await Bug.overdrawn.test() }
  @Test func lostUpdate() async throws { try await Bug.lostUpdate.test() }
  @Test func tasksOvertake() async throws { try await Bug.tasksOvertake.test() }
  @Test func olderAsyncAnswerWins() async throws { try await Bug.olderAsyncAnswerWins.test() }
  @Test func filledAfterClose() async throws { try await Bug.filledAfterClose.test() }
  @Test func rowsOffTheirQueue() async throws { try await Bug.rowsOffTheirQueue.test() }
  @Test func ledgerOutsideItsActor() async throws { try await Bug.ledgerOutsideItsActor.test() }
  @Test func countsTooFew() async throws { try await Bug.countsTooFew.test() }
  @Test func openedTwice() async throws { try await Bug.openedTwice.test() }
  @Test func twoEnds() async throws { try await Bug.twoEnds.test() }
  @Test func racesThatTrap() async throws { try await Bug.racesThatTrap.test() }
  @Test func tornTally() async throws { try await Bug.tornTally.test() }
  @Test func changedWhileTold() async throws { try await Bug.changedWhileTold.test() }
  @Test func waitsForItself() async throws { try await Bug.waitsForItself.test() }
  @Test func mainWaitsForMain() async throws { try await Bug.mainWaitsForMain.test() }
  @Test func resumedTwice() async throws { try await Bug.resumedTwice.test() }
  @Test func shownOutOfOrder() async throws { try await Bug.shownOutOfOrder.test() }
}
