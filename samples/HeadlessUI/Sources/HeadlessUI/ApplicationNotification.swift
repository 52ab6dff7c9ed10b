import Breadcrumbs
public import Foundation

/// The notifications of an application's life, by UIKit's names.
public enum ApplicationNotification {
  public static let didFinishLaunching = name("DidFinishLaunching")
  public static let didBecomeActive = name("DidBecomeActive")
  public static let willResignActive = name("WillResignActive")
  public static let didEnterBackground = name("DidEnterBackground")
  public static let willEnterForeground = name("WillEnterForeground")
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
