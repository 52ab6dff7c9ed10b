public import Breadcrumbs
public import Foundation
import Synchronization

/// Moves a simulated app or service through its lifecycle, and posts the notifications and records
/// the crumbs of each step.
///
///     let app = LifecycleDriver()
///     let feed = Feed(notifications: app.notifications)
///     try await app.move(.launch)
///     try await app.move(.background)
///
/// All events occur on the main queue, in the order of a real system.
public final class LifecycleDriver: Sendable {
  /// A move from one state to another.
  public enum Move: String, Sendable, Hashable, CaseIterable {
    /// The app starts and becomes active.
    case launch
    /// The app moves to the background.
    case background
    /// The time for background work expires.
    case expiration
    /// The app returns to the foreground.
    case foreground
    /// The system asks the app to terminate.
    case terminate
  }

  /// A state of the lifecycle.
  public enum State: Sendable, Hashable {
    case notRunning, active, background, terminated
  }

  /// The notification center of this driver, which posts notifications under UIKit's names.
  public let notifications = NotificationCenter()

  private struct Tasks {
    var state = State.notRunning
    var running: [SimulatedBackgroundTask] = []
    var observers: [@Sendable (LifecycleEvent) -> Void] = []
  }

  private let recorder: BreadcrumbRecorder?
  private let tasks = Mutex(Tasks())

  /// Creates a driver.
  ///
  /// - Parameter recorder: Records a crumb for each step; nil records none.
  public init(recorder: BreadcrumbRecorder? = nil) { self.recorder = recorder }

  /// The current state.
  public var state: State { tasks.withLock { $0.state } }

  /// Calls `body` on the main queue at each event, after the notification was posted.
  public func onEvent(_ body: @escaping @Sendable @MainActor (LifecycleEvent) -> Void) {
    // Events occur only on the main queue.
    tasks.withLock { tasks in
      tasks.observers.append { event in MainActor.assumeIsolated { body(event) } }
    }
  }

  /// Begins background work, which may continue until its time expires.
  ///
  /// Calls `expiration` on the main queue if the move `.expiration` precedes `end()`.
  public func beginBackgroundTask(
    _ name: String, expiration: @escaping @Sendable () -> Void = {}
  ) -> SimulatedBackgroundTask {
    let task = SimulatedBackgroundTask(
      recorded: recorder?.beginBackgroundTask(name), expiration: expiration)
    tasks.withLock { $0.running.append(task) }
    return task
  }

  /// Makes a move, and returns when all observers have been called.
  ///
  /// - Throws: `LifecycleError` if no system makes the move from the current state. The state is
  ///   then unchanged.
  public func move(_ move: Move) async throws(LifecycleError) {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        continuation.resume(
          returning: Result { () throws(LifecycleError) in try self.moveOnMain(move) })
      }
    }
    try result.get()
  }

  /// Makes a move. Must be called on the main queue.
  func moveOnMain(_ move: Move) throws(LifecycleError) {
    let state = tasks.withLock { $0.state }
    guard let next = move.destination(from: state) else {
      throw LifecycleError(
        description: "the lifecycle has no transition “\(move.rawValue)” from \(state.text)")
    }
    tasks.withLock { $0.state = next }
    for event in move.events { tell(event) }
    if move == .expiration { expireTasks() }
  }

  private func tell(_ event: LifecycleEvent) {
    recorder?.recordLifecycle(event)
    if let name = event.notification { notifications.post(name: name, object: nil) }
    for observer in tasks.withLock({ $0.observers }) { observer(event) }
  }

  private func expireTasks() {
    let running = tasks.withLock { tasks in
      defer { tasks.running = [] }
      return tasks.running
    }
    for task in running { task.expire() }
  }
}

/// The reason why a lifecycle move was rejected.
public struct LifecycleError: Error, CustomStringConvertible {
  /// The rejected move and the state at that time.
  public let description: String
}

/// Background work of a `LifecycleDriver`.
public final class SimulatedBackgroundTask: Sendable {
  private let recorded: BackgroundTask?
  private let expiration: @Sendable () -> Void
  private let isOver = Mutex(false)

  init(recorded: BackgroundTask?, expiration: @escaping @Sendable () -> Void) {
    self.recorded = recorded
    self.expiration = expiration
  }

  /// Ends the work, so that it no longer expires.
  public func end() {
    isOver.withLock { $0 = true }
    recorded?.end()
  }

  func expire() {
    guard !isOver.withLock({ $0 }) else { return }
    recorded?.expire()
    expiration()
  }
}
