/// A step in the life of an app or a service. Its text is what the log and the reports say.
public struct LifecycleEvent: Sendable, Hashable {
  /// What happened.
  public let name: StaticString

  /// An event of your own.
  public init(_ name: StaticString) { self.name = name }

  /// The process has started and is ready.
  public static let didLaunch = LifecycleEvent("did launch")
  /// It is in front and takes input.
  public static let didBecomeActive = LifecycleEvent("did become active")
  /// It is about to lose the front.
  public static let willResignActive = LifecycleEvent("will resign active")
  /// It is no longer seen: from here on its UI must rest.
  public static let didEnterBackground = LifecycleEvent("did enter background")
  /// It is about to be seen again.
  public static let willEnterForeground = LifecycleEvent("will enter foreground")
  /// It was told to end.
  public static let willTerminate = LifecycleEvent("will terminate")
  /// The system is short of memory.
  public static let didReceiveMemoryWarning = LifecycleEvent("did receive memory warning")

  /// Whether both have the same text.
  public static func == (lhs: LifecycleEvent, rhs: LifecycleEvent) -> Bool {
    "\(lhs.name)" == "\(rhs.name)"
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine("\(name)") }
}
