import Synchronization
package import ThreadAffinity

/// Reports violations to listeners, on the thread of the violation, after the violation was
/// recorded.
package enum ViolationWatch {
  private static let watchers = Mutex<[@Sendable (AffinityViolation) -> Void]>([])

  /// Adds a listener, which is called for each later violation.
  package static func add(_ watcher: @escaping @Sendable (AffinityViolation) -> Void) {
    watchers.withLock { $0.append(watcher) }
  }

  static func tell(_ violation: AffinityViolation) {
    for watcher in watchers.withLock({ $0 }) { watcher(violation) }
  }
}
