import Dispatch
import Foundation
import Synchronization
import ThreadAffinity

/// A badge that follows a notification on whichever queue that is posted.
package final class Badge: Sendable {
  package let notifications = NotificationCenter()
  package static let changed = Notification.Name("BasketChanged")

  package init() {
    _ = notifications.addObserver(forName: Self.changed, object: nil, queue: nil) { [weak self] _ in
      if isFixed {
        DispatchQueue.main.async { self?.update() }
      } else {
        self?.update()
      }
    }
  }

  @inline(never)
  private func update() { expectMainQueue("badge") }
}

/// A player that is still told of what happens after it was closed.
package final class Player: Sendable {
  package let notifications = NotificationCenter()
  package static let interrupted = Notification.Name("Interrupted")

  private struct State: @unchecked Sendable {
    var observer: (any NSObjectProtocol)?
    var isClosed = false
    var isTold = false
  }

  private let state = Mutex(State())

  package init() {
    let observer = notifications.addObserver(
      forName: Self.interrupted, object: nil, queue: nil
    ) { [weak self] _ in
      self?.state.withLock { if $0.isClosed { $0.isTold = true } }
    }
    let held = State(observer: observer)
    state.withLock { $0 = held }
  }

  package func close() {
    let held = state.withLock { state in
      state.isClosed = true
      return state
    }
    if isFixed, let observer = held.observer { notifications.removeObserver(observer) }
  }

  package var wasToldWhenClosed: Bool { state.withLock { $0.isTold } }
}

/// A reminder whose timer fires after it was cancelled.
package final class Reminder: Sendable {
  private let state = Mutex((isCancelled: false, hasRungAfter: false))

  package init() {}

  package func start() {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) {
      self.state.withLock { state in
        if isFixed, state.isCancelled { return }
        if state.isCancelled { state.hasRungAfter = true }
      }
    }
  }

  package func cancel() { state.withLock { $0.isCancelled = true } }

  package var hasRungWhenCancelled: Bool { state.withLock { $0.hasRungAfter } }
}

/// An editor that saves once for each change instead of once for all that come together.
package final class Autosave: Sendable {
  private let state = Mutex((changes: 0, saves: 0))

  package init() {}

  package func changed() {
    let number = state.withLock { state in
      state.changes += 1
      return state.changes
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) {
      self.state.withLock { state in
        if isFixed, number != state.changes { return }
        state.saves += 1
      }
    }
  }

  package var saves: Int { state.withLock { $0.saves } }
}

/// A download that never ends its background task.
package final class Upload: Sendable {
  private let end = Mutex<@Sendable () -> Void>({})

  package init() {}

  package func began(_ end: @escaping @Sendable () -> Void) { self.end.withLock { $0 = end } }

  package func expired() { if isFixed { end.withLock { $0 }() } }
}
