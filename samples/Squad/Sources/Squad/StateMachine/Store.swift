import ThreadAffinity

/// Holds the state of a screen, and is the only one who changes it.
///
/// `@unchecked Sendable`: it belongs to the main queue, which each of its methods checks.
package final class Store<Screen: Feature>: @unchecked Sendable {
  /// Carries an effect out; what it answers may come on any queue.
  package typealias Perform =
    @Sendable (Screen.Effect, @escaping @Sendable (Screen.Event) -> Void) -> (any Cancellable)?

  @MainQueueBound package private(set) var state: Screen.State
  private let perform: Perform
  private var observers: [(Screen.State) -> Void] = []
  private var running: [Int: any Cancellable] = [:]
  /// Effects that have not answered yet; one may answer while it is started.
  private var unanswered: Set<Int> = []
  private var effects = 0
  private var events: [Screen.Event] = []
  private var isReducing = false
  private var hasStopped = false
  private lazy var hop = MainHop(self, "a screen's effects")

  package init(_ state: Screen.State, perform: @escaping Perform) {
    self.perform = perform
    _state = MainQueueBound(wrappedValue: state, "Store.state")
  }

  deinit { running.values.forEach { $0.cancel() } }

  /// Lets something happen. What an observer sends comes after the event that it was called for.
  package func send(_ event: Screen.Event) {
    expectMainQueue("Store.send(_:)")
    if hasStopped { return }
    events.append(event)
    if isReducing { return }
    isReducing = true
    defer { isReducing = false }
    while !events.isEmpty { take(events.removeFirst()) }
  }

  /// Calls the observer with the state as it is, and each time it has changed.
  package func observe(_ observer: @escaping (Screen.State) -> Void) {
    expectMainQueue("Store.observe(_:)")
    observers.append(observer)
    observer(state)
  }

  /// Ends what is under way: nobody looks at the screen any more.
  package func stop() {
    expectMainQueue("Store.stop()")
    hasStopped = true
    hop.cancel()
    running.values.forEach { $0.cancel() }
    running = [:]
  }

  private func take(_ event: Screen.Event) {
    var next = state
    let effects = Screen.reduce(&next, on: event)
    if next != state {
      state = next
      for observer in observers { observer(next) }
    }
    for effect in effects { start(effect) }
  }

  private func start(_ effect: Screen.Effect) {
    effects += 1
    let number = effects
    unanswered.insert(number)
    let hop = hop
    let work = perform(effect) { event in
      hop.send { store in
        store.unanswered.remove(number)
        store.running[number] = nil
        store.send(event)
      }
    }
    // Without work to cancel there is nothing to keep.
    guard let work else {
      unanswered.remove(number)
      return
    }
    if unanswered.contains(number) { running[number] = work }
  }
}
