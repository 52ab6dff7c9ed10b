import AffinityTesting
import Foundation
import Synchronization
import Testing
import ThreadAffinity

@testable import BackgroundLayout

@MainActor
@Suite(.affinityChecked) struct ScreenUpdatesTests {
  /// Keeps what reaches it, and where.
  private final class Screen: Sendable {
    let shown = Mutex<[Int]>([])
    let shownOffMain = Atomic(0)

    func show(_ number: Int) {
      if !MainQueue.isCurrent { shownOffMain.add(1, ordering: .relaxed) }
      shown.withLock { $0.append(number) }
    }
  }

  private let screen = Screen()

  private func callBack(_ updates: ScreenUpdates<Screen>, _ numbers: Int...) async {
    let screen = screen
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "test.network").async {
        for number in numbers { updates.perform(on: screen) { $0.show(number) } }
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }

  @Test(arguments: Remedy.allCases)
  func inFrontEveryUpdateHopsAndKeepsItsPlace(remedy: Remedy) async {
    let updates = ScreenUpdates(to: screen, remedy: remedy)
    await callBack(updates, 1, 2, 3)
    #expect(screen.shown.withLock { $0 } == [1, 2, 3])
    #expect(screen.shownOffMain.load(ordering: .relaxed) == 0)
  }

  @Test func withoutARemedyTheBackgroundIsWhereNothingHops() async {
    let updates = ScreenUpdates(to: screen, remedy: .none)
    updates.enterBackground()
    await callBack(updates, 1)
    #expect(screen.shownOffMain.load(ordering: .relaxed) == 1)
  }

  @Test func hoppingShowsTheUpdateInTheBackground() async {
    let updates = ScreenUpdates(to: screen, remedy: .hop)
    updates.enterBackground()
    await callBack(updates, 1)
    #expect(screen.shown.withLock { $0 } == [1])
    #expect(screen.shownOffMain.load(ordering: .relaxed) == 0)
  }

  @Test func pausingCatchesUpInOrderOnTheWayToTheFront() async {
    let updates = ScreenUpdates(to: screen, remedy: .pause)
    updates.enterBackground()
    await callBack(updates, 1, 2)
    #expect(screen.shown.withLock { $0 } == [])
    updates.enterForeground(on: screen)
    await callBack(updates, 3)
    #expect(screen.shown.withLock { $0 } == [1, 2, 3])
    #expect(screen.shownOffMain.load(ordering: .relaxed) == 0)
  }

  @Test func whatWaitsForTheMainQueueMeanwhileComesAfterWhatWasKept() async {
    let updates = ScreenUpdates(to: screen, remedy: .pause)
    updates.enterBackground()
    await callBack(updates, 1)
    callBackWhileMainIsBusy(updates, 2)
    updates.enterForeground(on: screen)
    await callBack(updates, 3)
    #expect(screen.shown.withLock { $0 } == [1, 2, 3])
  }

  /// Calls back from another thread, and holds the main queue until that is done.
  private func callBackWhileMainIsBusy(_ updates: ScreenUpdates<Screen>, _ number: Int) {
    let screen = screen
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      updates.perform(on: screen) { $0.show(number) }
      done.signal()
    }
    done.wait()
  }

  @Test(.affinityChecked(allowing: .message("called nobody")))
  func aScreenThatIsGoneIsNotKeptAlive() async {
    var gone: Screen? = Screen()
    weak let watched = gone
    let updates = ScreenUpdates(to: gone!, remedy: .hop)
    gone = nil
    #expect(watched == nil)
    await callBack(updates, 1)
  }
}
