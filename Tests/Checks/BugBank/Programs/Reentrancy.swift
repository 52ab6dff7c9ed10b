import Dispatch
import Synchronization
import ThreadAffinity

/// A list of listeners that is changed by one of them while all are told.
package final class Listeners: Sendable {
  private let listeners = Mutex<[Int]>([])

  package init() { listeners.withLock { $0 = [1, 2, 3] } }

  package func changed() {
    let told = listeners.withLock { $0 }
    for index in told.indices {
      if isFixed {
        tell(told[index])
      } else {
        tell(listeners.withLock { $0[index] })
      }
    }
  }

  /// One of them has heard enough.
  private func tell(_ listener: Int) {
    if listener == 2 { listeners.withLock { $0.removeAll { $0 == 2 } } }
  }
}

/// A session that tells its delegate while it holds the lock that the delegate's answer takes.
package final class Session: Sendable {
  private let queue = DispatchQueue(label: "session")
  private let closings = Mutex(0)

  package init() {}

  package func received() {
    if isFixed {
      queue.sync {}
      close()
    } else {
      queue.sync { hand { self.close() } }
    }
  }

  private func hand(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      body()
      done.signal()
    }
    done.wait()
  }

  private func close() { queue.sync { closings.withLock { $0 += 1 } } }
}

/// A list that waits for the main queue where it may be on it.
package final class SyncedList: Sendable {
  private let rows = Mutex(0)

  package init() {}

  package func received() {
    if isFixed {
      DispatchQueue.main.async { self.insert() }
    } else {
      DispatchQueue.main.sync { self.insert() }
    }
  }

  private func insert() { rows.withLock { $0 += 1 } }
}

/// A request that is answered, and times out as well: its caller is resumed twice.
package final class Request: Sendable {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  package init() {}

  package func send() async {
    await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
  }

  package func answered() { resume() }
  package func timedOut() { resume() }

  private func resume() {
    let continuation = waiting.withLock { waiting in
      defer { if isFixed { waiting = nil } }
      return waiting
    }
    continuation?.resume()
  }
}

/// A chat that shows at once what comes on the main queue, before what it has sent there.
package final class Chat: Sendable {
  private let state = Mutex((sent: 0, shown: 0, isInOrder: true))

  package init() {}

  package func received() {
    let number = state.withLock { state in
      state.sent += 1
      return state.sent
    }
    if !isFixed, MainQueue.isCurrent {
      show(number)
    } else {
      DispatchQueue.main.async { self.show(number) }
    }
  }

  private func show(_ number: Int) {
    state.withLock { state in
      if number < state.shown { state.isInOrder = false }
      state.shown = number
    }
  }

  package var showsInOrder: Bool { state.withLock { $0.isInOrder } }
}
