import Breadcrumbs
import Foundation
import Synchronization

/// Records notifications until `end()` is called or it is released.
public final class RecordedNotifications: Sendable {
  private let center: NotificationCenter
  private let observers: Mutex<Observers>

  init(_ center: NotificationCenter, _ observers: [any NSObjectProtocol]) {
    self.center = center
    self.observers = Mutex(Observers(tokens: observers))
  }

  deinit { end() }

  /// Stops recording. Further calls do nothing.
  public func end() {
    let ended = observers.withLock { observers in
      defer { observers.tokens = [] }
      return observers
    }
    for token in ended.tokens { center.removeObserver(token) }
  }
}

/// Tokens that are only ever handed back to their centre, which any thread may do.
private struct Observers: @unchecked Sendable {
  var tokens: [any NSObjectProtocol]
}
