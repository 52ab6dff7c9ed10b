import AffinityTesting
import Dispatch
import Synchronization
import Testing

@testable import Squad

/// A counter that asks the world for numbers to add.
private enum Counter: Feature {
  struct State: Sendable, Equatable { var sum = 0 }
  enum Event: Sendable, Equatable { case ask, add(Int) }
  enum Effect: Sendable, Equatable { case number }

  static func reduce(_ state: inout State, on event: Event) -> [Effect] {
    switch event {
    case .ask: return [.number]
    case .add(let number): state.sum += number
    }
    return []
  }
}

@MainActor @Suite(.affinityChecked) struct StoreTests {
  @Test func effectsMayAnswerOnAnyQueue() async {
    let store = Store<Counter>(.init()) { _, answer in
      DispatchQueue.global().async { answer(.add(1)) }
      return nil
    }
    let sums = await withCheckedContinuation { done in
      var sums: [Int] = []
      store.observe { state in
        sums.append(state.sum)
        if state.sum == 3 { done.resume(returning: sums) }
      }
      for _ in 0..<3 { store.send(.ask) }
    }
    #expect(sums == [0, 1, 2, 3])
  }

  @Test func effectsMayAnswerAtOnce() {
    let store = Store<Counter>(.init()) { _, answer in
      answer(.add(2))
      return nil
    }
    store.send(.ask)
    #expect(store.state.sum == 2)
  }

  @Test func whatAnObserverSendsComesAfterWhatItWasToldOf() {
    let store = Store<Counter>(.init()) { _, _ in nil }
    var first: [Int] = []
    var second: [Int] = []
    store.observe { state in
      first.append(state.sum)
      if state.sum == 1 { store.send(.add(10)) }
    }
    store.observe { second.append($0.sum) }
    store.send(.add(1))
    #expect(first == [0, 1, 11])
    #expect(second == [0, 1, 11])
  }

  @Test func anEventThatChangesNothingTellsNobody() {
    let store = Store<Counter>(.init()) { _, _ in nil }
    var told = 0
    store.observe { _ in told += 1 }
    store.send(.add(0))
    #expect(told == 1)
  }

  @Test func aStoppedStoreCancelsItsWorkAndHearsNothing() async {
    let work = CancelFlag()
    let late = Mutex<(@Sendable (Counter.Event) -> Void)?>(nil)
    let store = Store<Counter>(.init()) { _, answer in
      late.withLock { $0 = answer }
      return work
    }
    store.send(.ask)
    store.stop()
    #expect(work.isCancelled)
    late.withLock { $0 }?(.add(1))
    store.send(.add(1))
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(store.state.sum == 0)
  }

  @Test func aStoreThatNobodyHoldsCancelsItsWork() {
    let work = CancelFlag()
    var store: Store<Counter>? = Store(.init()) { _, _ in work }
    store?.send(.ask)
    store = nil
    #expect(work.isCancelled)
  }

  @Test func workThatAnsweredIsNotCancelled() {
    let work = CancelFlag()
    var store: Store<Counter>? = Store(.init()) { _, answer in
      answer(.add(1))
      return work
    }
    store?.send(.ask)
    store = nil
    #expect(!work.isCancelled)
  }

  @Test func stoppingOffTheMainQueueIsAViolation() async {
    await expectViolation(of: .main, in: "stop()") {
      let store = await MainActor.run { Store<Counter>(.init()) { _, _ in nil } }
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          store.stop()
          done.resume()
        }
      }
    }
  }
}
