import Dispatch
import Synchronization

/// A counter that is read and written without a lock.
package final class Visitors: Sendable {
  private let count = Atomic(0)
  private let came = Atomic(0)

  package init() {}

  package func enter() {
    if isFixed {
      count.add(1, ordering: .relaxed)
    } else {
      let before = count.load(ordering: .relaxed)
      count.store(before + 1, ordering: .relaxed)
    }
    came.add(1, ordering: .relaxed)
  }

  package var countsAll: Bool { count.load(ordering: .relaxed) == came.load(ordering: .relaxed) }
}

/// A connection that is opened once for each who finds it closed.
package final class Connection: Sendable {
  private let isOpen = Atomic(false)
  private let opened = Atomic(0)

  package init() {}

  package func use() {
    if isFixed {
      if isOpen.exchange(true, ordering: .acquiringAndReleasing) { return }
    } else {
      if isOpen.load(ordering: .relaxed) { return }
      isOpen.store(true, ordering: .relaxed)
    }
    opened.add(1, ordering: .relaxed)
  }

  package var timesOpened: Int { opened.load(ordering: .relaxed) }
}

/// A download whose two ends, success and failure, both report where they come together.
package final class Download: Sendable {
  private let isDone = Atomic(false)
  private let reports = Atomic(0)

  package init() {}

  package func succeeded() { report() }
  package func failed() { report() }
  package func progressed() {}
  package func redirected() {}
  package func authenticated() {}

  private func report() {
    if isFixed {
      if isDone.exchange(true, ordering: .acquiringAndReleasing) { return }
    } else {
      if isDone.load(ordering: .relaxed) { return }
      isDone.store(true, ordering: .relaxed)
    }
    reports.add(1, ordering: .relaxed)
  }

  package var reported: Int { reports.load(ordering: .relaxed) }
}

/// A queue of jobs that is asked whether it has one, and then for it: another may have taken it.
package final class Jobs: Sendable {
  private let waiting = Mutex([1])

  package init() {}

  package func take() {
    if isFixed {
      waiting.withLock { _ = $0.popLast() }
    } else if waiting.withLock({ !$0.isEmpty }) {
      waiting.withLock { _ = $0.removeLast() }
    }
  }
}

/// A tally that is written in two halves, which another reads between.
package final class Tally: Sendable {
  private let lock = Mutex(())
  private let first = Atomic(0)
  private let second = Atomic(0)
  private let isTorn = Atomic(false)

  package init() {}

  package func add() {
    guarded {
      first.add(1, ordering: .sequentiallyConsistent)
      second.add(1, ordering: .sequentiallyConsistent)
    }
  }

  package func read() {
    guarded {
      let before = first.load(ordering: .sequentiallyConsistent)
      if before != second.load(ordering: .sequentiallyConsistent) {
        isTorn.store(true, ordering: .relaxed)
      }
    }
  }

  private func guarded(_ body: () -> Void) {
    if isFixed { lock.withLock { _ in body() } } else { body() }
  }

  package var wasTorn: Bool { isTorn.load(ordering: .relaxed) }
}
