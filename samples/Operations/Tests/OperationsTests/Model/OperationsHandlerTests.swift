import Foundation
import SampleSupport
import Testing

@testable import Operations

@MainActor
@Suite struct OperationsHandlerTests {
  private let handler = OperationsHandler()

  private func start(_ ids: String...) {
    for id in ids {
      _ = handler.startOperation(OperationID(id))
      _ = handler.handOver(OperationID(id))
    }
  }

  private func state(_ row: Int) -> TrackedOperation.State { handler.operations[row].state }

  @Test func rowsAreInTheOrderOfTheirStart() {
    #expect(handler.startOperation(OperationID("a")) == IndexPath(row: 0))
    #expect(handler.startOperation(OperationID("b")) == IndexPath(row: 1))
    #expect(handler.operations.map(\.id.text) == ["a", "b"])
    #expect(handler.operations.allSatisfy { $0.state == .waiting && $0.progress == 0 })
  }

  @Test func anIdIsUsedOnce() {
    start("a")
    #expect(handler.startOperation(OperationID("a")) == nil)
    handler.restartOperation(at: IndexPath(row: 0), as: OperationID("b"))
    #expect(handler.startOperation(OperationID("a")) == nil)
    #expect(handler.startOperation(OperationID("b")) == nil)
  }

  @Test func aMessageChangesItsOwnOperationAndNamesItsRow() {
    start("a", "b", "c")
    #expect(handler.handleMessage(Posts.progress("b", 40)) == .changed(IndexPath(row: 1)))
    #expect(handler.operations.map(\.progress) == [0, 40, 0])
    #expect(handler.handleMessage(Posts.completed("b")) == .changed(IndexPath(row: 1)))
    #expect(state(1) == .succeeded)
    #expect(handler.operations.map(\.progress) == [0, 100, 0])
    #expect(handler.handleMessage(Posts.completed("c", "error")) == .changed(IndexPath(row: 2)))
    #expect(state(2) == .failed(.reported))
    #expect(handler.unfinished == [IndexPath(row: 0)])
  }

  @Test func aFailureLeavesTheProgressWhereItWas() {
    start("a")
    _ = handler.handleMessage(Posts.progress("a", 60))
    _ = handler.handleMessage(Posts.completed("a", "error"))
    #expect(handler.operations[0].progress == 60)
  }

  @Test func malformedMessagesChangeNothing() {
    start("a")
    let before = handler.operations
    let message = ScriptMessage(body: "{")
    #expect(handler.handleMessage(message) == .ignored(.malformed(.notJSON)))
    #expect(handler.operations == before)
    #expect(handler.ignoredCount == 1)
    #expect(handler.lastIgnored == .malformed(.notJSON))
  }

  @Test func messagesOfUnknownOperationsChangeNothing() {
    start("a")
    #expect(handler.handleMessage(Posts.progress("x", 1)) == .ignored(.unknown(OperationID("x"))))
    #expect(handler.operations.count == 1)
  }

  @Test func whatIsKnownAlreadyIsADuplicate() {
    start("a")
    let duplicate = OperationsHandler.Outcome.ignored(.duplicate(OperationID("a")))
    #expect(handler.handleMessage(Posts.progress("a", 0)) == .changed(IndexPath(row: 0)))
    #expect(handler.handleMessage(Posts.progress("a", 0)) == duplicate)
    _ = handler.handleMessage(Posts.progress("a", 20))
    #expect(handler.handleMessage(Posts.progress("a", 20)) == duplicate)
    _ = handler.handleMessage(Posts.completed("a"))
    #expect(handler.handleMessage(Posts.completed("a")) == duplicate)
  }

  @Test func whatWasOvertakenIsLate() {
    start("a")
    let late = OperationsHandler.Outcome.ignored(.late(OperationID("a")))
    _ = handler.handleMessage(Posts.progress("a", 40))
    #expect(handler.handleMessage(Posts.progress("a", 20)) == late)
    _ = handler.handleMessage(Posts.completed("a"))
    #expect(handler.handleMessage(Posts.progress("a", 60)) == late)
    #expect(handler.handleMessage(Posts.completed("a", "error")) == late)
    #expect(state(0) == .succeeded)
    handler.restartOperation(at: IndexPath(row: 0), as: OperationID("b"))
    #expect(handler.handleMessage(Posts.completed("a")) == late)
    #expect(state(0) == .waiting)
  }

  @Test func whatCouldNotBeStartedHasFailedUnlessItIsOver() {
    start("a", "b")
    #expect(handler.fail(OperationID("a")) == IndexPath(row: 0))
    #expect(state(0) == .failed(.notStarted))
    _ = handler.handleMessage(Posts.completed("b"))
    #expect(handler.fail(OperationID("b")) == nil)
    #expect(handler.fail(OperationID("x")) == nil)
  }

  /// 200 walks through messages in any order: what is over stays so, and nothing goes back.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func noOrderOfMessagesLeadsToAnImpossibleState(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    start("a", "b", "c")
    for _ in 0..<60 {
      let before = handler.operations
      let id = ["a", "b", "c", "x"].randomElement(using: &random)!
      let outcome = handler.handleMessage(
        [
          Posts.progress(id, Int.random(in: -10...110, using: &random)), Posts.completed(id),
          Posts.completed(id, "error"), Posts.completed(id, "?"), ScriptMessage(body: id),
        ].randomElement(using: &random)!)
      for (row, (old, new)) in zip(before, handler.operations).enumerated() {
        #expect(new.progress >= old.progress && (0...100).contains(new.progress))
        #expect(!old.isFinished || new == old)
        #expect((new != old) == (outcome == .changed(IndexPath(row: row))))
      }
    }
  }
}
