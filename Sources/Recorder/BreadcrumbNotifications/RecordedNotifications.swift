import Breadcrumbs
import Foundation
import Synchronization

/// Records notifications until `end()` is called or the object is released.
public final class RecordedNotifications: Sendable {
  private let center: NotificationCenter
  private let observers: Mutex<Observers>

  init(_ center: NotificationCenter, _ observers: [any NSObjectProtocol]) {
    self.center = center
    self.observers = Mutex(Observers(tokens: observers))
  }

  deinit { end() }

  /// Stops recording. Further calls have no effect.
  public func end() {
    let ended = observers.withLock { observers in
      defer { observers.tokens = [] }
      return observers
    }
    for token in ended.tokens { center.removeObserver(token) }
  }
}

/// Tokens that are only passed back to their center, which any thread may do.
private struct Observers: @unchecked Sendable {
  var tokens: [any NSObjectProtocol]
}
