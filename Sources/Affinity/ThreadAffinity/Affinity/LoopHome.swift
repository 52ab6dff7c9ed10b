/// An event loop of another package, given by its check for the current thread and its function for
/// enqueueing work. Enqueued work runs in order.
package final class LoopHome: Sendable {
  let isCurrent: @Sendable () -> Bool
  let execute: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(
    isCurrent: @escaping @Sendable () -> Bool,
    execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.isCurrent = isCurrent
    self.execute = execute
  }
}

extension Affinity {
  /// An event loop, given by its check for the current thread and its function for enqueueing work.
  package static func loop(
    _ name: String, isCurrent: @escaping @Sendable () -> Bool,
    execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> Affinity {
    Affinity(.loop(LoopHome(isCurrent: isCurrent, execute: execute)), name: name)
  }
}
