import Breadcrumbs
public import Foundation

/// The notifications of an application's life, by UIKit's names.
public enum ApplicationNotification {
  /// It has started.
  public static let didFinishLaunching = name("DidFinishLaunching")
  /// It is at the front.
  public static let didBecomeActive = name("DidBecomeActive")
  /// It is about to leave the front.
  public static let willResignActive = name("WillResignActive")
  /// It is no longer seen.
  public static let didEnterBackground = name("DidEnterBackground")
  /// It is on its way to the front.
  public static let willEnterForeground = name("WillEnterForeground")
  /// It is about to end.
  public static let willTerminate = name("WillTerminate")

  private static func name(_ event: String) -> Notification.Name {
    Notification.Name("UIApplication\(event)Notification")
  }

  /// The notification that goes with a crumb of the life cycle.
  static func name(of event: LifecycleEvent) -> Notification.Name? {
    let names: [LifecycleEvent: Notification.Name] = [
      .didLaunch: didFinishLaunching, .didBecomeActive: didBecomeActive,
      .willResignActive: willResignActive, .didEnterBackground: didEnterBackground,
      .willEnterForeground: willEnterForeground, .willTerminate: willTerminate,
    ]
    return names[event]
  }
}
