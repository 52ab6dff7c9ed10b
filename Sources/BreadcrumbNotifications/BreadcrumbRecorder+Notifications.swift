public import Breadcrumbs
public import Foundation

/// What the crumb of a notification is.
public enum NotificationCrumb: Sendable {
  /// An ordinary crumb of a level.
  case note(CrumbLevel)
  /// A step in the life of the app or service: no other crumb ever pushes it out of the log.
  case lifecycle
}

extension BreadcrumbRecorder {
  /// Leaves a crumb with the name of each of these notifications, on the thread that posts it.
  ///
  /// What a notification carries is not recorded: it may hold anything.
  ///
  /// - Parameters:
  ///   - names: The notifications.
  ///   - center: Where they are posted.
  ///   - crumb: What they leave.
  /// - Returns: A token. The recording ends when it is ended or let go.
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
    case .lifecycle: recordLifecycle(named: name)
    }
  }
}
