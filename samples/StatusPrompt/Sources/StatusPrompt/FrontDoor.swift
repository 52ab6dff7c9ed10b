import Synchronization

/// Lets answers in while the app is in front, and keeps the others until it is.
final class FrontDoor: Sendable {
  typealias Answer = @Sendable () -> Void

  private struct State {
    var isClosed = false
    var waiting: [Answer] = []
  }

  private let state = Mutex(State())

  /// Lets an answer in, now or later.
  func pass(_ answer: @escaping Answer) {
    let isOpen = state.withLock { state in
      if state.isClosed { state.waiting.append(answer) }
      return !state.isClosed
    }
    if isOpen { answer() }
  }

  /// The app is no longer seen.
  func close() { state.withLock { $0.isClosed = true } }

  /// The app is on its way to the front: lets in what waits, in the order in which it came.
  func open() {
    let missed = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    for answer in missed { answer() }
  }
}
