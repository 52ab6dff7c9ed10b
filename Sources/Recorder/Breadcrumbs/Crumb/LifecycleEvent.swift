internal import CRecorder

/// A step in the lifecycle of an app or service. Its name is shown in the log and in reports.
///
/// An event of your own is a text: `recordLifecycle("drained \(count)")`, `LifecycleEvent(name)`.
public struct LifecycleEvent: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// What happened.
  public let name: String

  /// An event of your own.
  public init(_ name: String) { self.name = name }

  /// An event of your own.
  public init(stringLiteral name: String) { self.init(name) }

  /// The process has started and is ready.
  public static let didLaunch = LifecycleEvent(MS_WORD_DID_LAUNCH)
  /// It is in the foreground and takes input.
  public static let didBecomeActive = LifecycleEvent(MS_WORD_DID_BECOME_ACTIVE)
  /// It is about to stop being active.
  public static let willResignActive = LifecycleEvent(MS_WORD_WILL_RESIGN_ACTIVE)
  /// It is no longer visible: from now on its UI must not be touched.
  public static let didEnterBackground = LifecycleEvent(MS_WORD_DID_ENTER_BACKGROUND)
  /// It is about to become visible again.
  public static let willEnterForeground = LifecycleEvent(MS_WORD_WILL_ENTER_FOREGROUND)
  /// It was asked to end.
  public static let willTerminate = LifecycleEvent(MS_WORD_WILL_TERMINATE)
  /// The system is short of memory.
  public static let didReceiveMemoryWarning = LifecycleEvent(MS_WORD_DID_RECEIVE_MEMORY_WARNING)
}
