internal import CRecorder

/// A step in the lifecycle of an app or service. Its name is shown in the log and in reports.
///
/// A custom event is a text: `recordLifecycle("drained \(count)")`, `LifecycleEvent(name)`.
public struct LifecycleEvent: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The name of the event.
  public let name: String

  /// Creates a custom event.
  public init(_ name: String) { self.name = name }

  /// Creates a custom event.
  public init(stringLiteral name: String) { self.init(name) }

  /// The process has started and is ready.
  public static let didLaunch = LifecycleEvent(MS_WORD_DID_LAUNCH)
  /// The app is in the foreground and receives input.
  public static let didBecomeActive = LifecycleEvent(MS_WORD_DID_BECOME_ACTIVE)
  /// The app is about to stop being active.
  public static let willResignActive = LifecycleEvent(MS_WORD_WILL_RESIGN_ACTIVE)
  /// The app is no longer visible. Its UI must not be touched until it returns to the foreground.
  public static let didEnterBackground = LifecycleEvent(MS_WORD_DID_ENTER_BACKGROUND)
  /// The app is about to become visible again.
  public static let willEnterForeground = LifecycleEvent(MS_WORD_WILL_ENTER_FOREGROUND)
  /// The process received a request to terminate.
  public static let willTerminate = LifecycleEvent(MS_WORD_WILL_TERMINATE)
  /// The system is short of memory.
  public static let didReceiveMemoryWarning = LifecycleEvent(MS_WORD_DID_RECEIVE_MEMORY_WARNING)
}
