public import Breadcrumbs
public import Foundation

/// The kind of crumb that is recorded for a notification.
public enum NotificationCrumb: Sendable {
  /// A note with this level.
  case note(CrumbLevel)
  /// A lifecycle crumb: only other lifecycle crumbs can overwrite it in the log.
  case lifecycle
}

extension BreadcrumbRecorder {
  /// Records a crumb with the name of each of these notifications, on the thread that posts the
  /// notification.
  ///
  /// The notification's object and user info are not recorded, because they may contain sensitive
  /// data.
  ///
  /// - Parameters:
  ///   - names: The names of the notifications.
  ///   - center: The center that posts the notifications.
  ///   - crumb: The kind of crumb to record.
  /// - Returns: A token. Recording stops when you call its `end()` or release it.
  public func recordNotifications(
    named names: [Notification.Name], from center: NotificationCenter = .default,
    as crumb: NotificationCrumb = .note(.info)
  ) -> RecordedNotifications {
    let observers = names.map { name in
      center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
        self?.record(notification.name.rawValue, as: crumb)
      }
    }
    return RecordedNotifications(center, observers)
  }

  private func record(_ name: String, as crumb: NotificationCrumb) {
    switch crumb {
    case .note(let level): record(name, level: level, category: "notification")
    case .lifecycle: recordLifecycle(LifecycleEvent(name))
    }
  }
}
