internal import LogWords

/// A step in the lifecycle of an app or service. Its name is shown in the log and in reports.
public struct LifecycleEvent: Sendable, Hashable {
  /// What happened.
  public let name: StaticString

  /// An event of your own.
  public init(_ name: StaticString) { self.name = name }

  /// The process has started and is ready.
  public static let didLaunch = LifecycleEvent(LifecycleStep.didLaunch.text)
  /// It is in the foreground and takes input.
  public static let didBecomeActive = LifecycleEvent(LifecycleStep.didBecomeActive.text)
  /// It is about to stop being active.
  public static let willResignActive = LifecycleEvent(LifecycleStep.willResignActive.text)
  /// It is no longer visible: from now on its UI must not be touched.
  public static let didEnterBackground = LifecycleEvent(LifecycleStep.didEnterBackground.text)
  /// It is about to become visible again.
  public static let willEnterForeground = LifecycleEvent(LifecycleStep.willEnterForeground.text)
  /// It was asked to end.
  public static let willTerminate = LifecycleEvent(LifecycleStep.willTerminate.text)
  /// The system is short of memory.
  public static let didReceiveMemoryWarning = LifecycleEvent(
    LifecycleStep.didReceiveMemoryWarning.text)

  /// Whether both have the same text.
  public static func == (lhs: LifecycleEvent, rhs: LifecycleEvent) -> Bool {
    "\(lhs.name)" == "\(rhs.name)"
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine("\(name)") }
}
