public import Breadcrumbs
import Dispatch
public import Foundation
import Synchronization
import ThreadAffinity

/// An application: its life, its background tasks, its window, and the run loop on the main queue.
///
/// It is moved through its life by hand; `follow(_:)` lets a `LifecycleDriver` do so in tests.
///
/// `@unchecked Sendable`: its tasks are behind a mutex; all else belongs to the main queue, which
/// `@MainQueueBound` checks.
public final class Application: @unchecked Sendable {
  /// Where the notifications of its life are posted: a center of its own.
  public let notifications = NotificationCenter()
  /// What it shows.
  @MainQueueBound("Application.window") public var window: Window? = nil
  /// Where it is in its life.
  @MainQueueBound("Application.applicationState")
  public private(set) var applicationState = ApplicationState.notRunning
  private let recorder: BreadcrumbRecorder?
  private let tasks = Mutex<[BackgroundTaskIdentifier: RunningTask]>([:])

  private struct RunningTask {
    let name: String
    let recorded: BackgroundTask?
    let expiration: @Sendable (BackgroundTaskIdentifier) -> Void
    var isExpired = false
  }

  /// - Parameter recorder: Where its life leaves crumbs; nil leaves none.
  public init(recorder: BreadcrumbRecorder? = nil) { self.recorder = recorder }

  /// Runs the main queue until the process ends; in tests their own runner does so.
  public static func run() -> Never { dispatchMain() }

  // MARK: - Life

  /// It starts and comes to the front.
  public func launch() { move([.didLaunch, .didBecomeActive]) }

  /// It leaves the front and is no longer seen; what was still to be laid out is so before that.
  public func enterBackground() {
    move([.willResignActive])
    window?.finishPass()
    move([.didEnterBackground])
  }

  /// It comes back to the front.
  public func enterForeground() { move([.willEnterForeground, .didBecomeActive]) }

  /// It is asked to end.
  public func terminate() { move([.willTerminate]) }

  /// The time for background work is up: calls the handlers of all that still run.
  public func expireBackgroundTasks() {
    expectMainQueue("Application.expireBackgroundTasks()")
    let running = tasks.withLock { tasks in
      let running = tasks.filter { !$0.value.isExpired }
      for identifier in running.keys { tasks[identifier]?.isExpired = true }
      return running.sorted { $0.key < $1.key }
    }
    for (identifier, task) in running {
      task.recorded?.expire()
      task.expiration(identifier)
    }
  }

  /// Takes a step that somebody else has recorded.
  public func follow(_ event: LifecycleEvent) {
    expectMainQueue("Application.follow(_:)")
    if let state = Self.state(after: event) { applicationState = state }
    if let name = ApplicationNotification.name(of: event) {
      notifications.post(name: name, object: self)
    }
  }

  private func move(_ events: [LifecycleEvent]) {
    for event in events {
      recorder?.recordLifecycle(event)
      follow(event)
    }
  }

  /// Leaves a crumb that says what begins here, with who began it.
  public func note(_ beginning: StaticString) {
    recorder?.record(beginning, category: "app", stack: .always)
  }

  private static func state(after event: LifecycleEvent) -> ApplicationState? {
    let states: [LifecycleEvent: ApplicationState] = [
      .didLaunch: .inactive, .didBecomeActive: .active, .willResignActive: .inactive,
      .didEnterBackground: .background, .willEnterForeground: .inactive,
      .willTerminate: .terminated,
    ]
    return states[event]
  }

  // MARK: - Background tasks

  /// Begins work that may go on in the background; from any queue.
  ///
  /// - Parameter expirationHandler: Called on the main queue when the time is up before the end; the task
  ///   is then to be ended all the same.
  public func beginBackgroundTask(
    withName name: String,
    expirationHandler: @escaping @Sendable (BackgroundTaskIdentifier) -> Void
  ) -> BackgroundTaskIdentifier {
    let identifier = BackgroundTaskIdentifier.next()
    let task = RunningTask(
      name: name, recorded: recorder?.beginBackgroundTask(name), expiration: expirationHandler)
    tasks.withLock { $0[identifier] = task }
    return identifier
  }

  /// Begins work that may go on in the background; from any queue.
  public func beginBackgroundTask(
    withName name: String, expirationHandler: @escaping @Sendable () -> Void = {}
  ) -> BackgroundTaskIdentifier {
    beginBackgroundTask(withName: name) { (_: BackgroundTaskIdentifier) in expirationHandler() }
  }

  /// The names of the tasks that were not ended yet, in the order they began; from any queue.
  public var backgroundTasks: [String] {
    tasks.withLock { $0.sorted { $0.key < $1.key }.map(\.value.name) }
  }

  /// Says that the work is done; from any queue.
  public func endBackgroundTask(_ identifier: BackgroundTaskIdentifier) {
    let task = tasks.withLock { $0.removeValue(forKey: identifier) }
    task?.recorded?.end()
  }
}
