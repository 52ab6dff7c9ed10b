import Synchronization

/// Work that can be cancelled where nobody waits for it any more.
package protocol Cancellable: Sendable {
  func cancel()
}

/// Work that only remembers that it was cancelled.
package final class CancelFlag: Cancellable {
  private let flag = Atomic(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  package func cancel() { flag.store(true, ordering: .releasing) }
}
