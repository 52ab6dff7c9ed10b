public import Breadcrumbs
public import Foundation
import Synchronization

/// Moves a simulated app or service through its lifecycle, with the notifications and crumbs of each
/// step.
///
///     let app = LifecycleDriver()
///     let feed = Feed(notifications: app.notifications)
///     try await app.move(.launch)
///     try await app.move(.background)
///
/// Everything happens on the main queue, in the order of a real system.
public final class LifecycleDriver: Sendable {
  /// A move from one state to another.
  public enum Move: String, Sendable, Hashable, CaseIterable {
    /// It starts and becomes active.
    case launch
    /// It goes to the background.
    case background
    /// The time for background work is up.
    case expiration
    /// It returns to the foreground.
    case foreground
    /// It is asked to end.
    case terminate
  }

  /// A state of the lifecycle.
  public enum State: Sendable, Hashable {
    case notRunning, active, background, terminated
  }

  /// The center of this driver, where notifications are posted with UIKit's names.
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

  /// Calls `body` at each event, on the main queue, after the notification.
  public func onEvent(_ body: @escaping @Sendable @MainActor (LifecycleEvent) -> Void) {
    // Moves are made on the main queue alone.
    tasks.withLock { tasks in
      tasks.observers.append { event in MainActor.assumeIsolated { body(event) } }
    }
  }

  /// Begins work that may continue in the background until its time is up.
  ///
  /// `expiration` is called on the main queue when `.expiration` comes before `end()`.
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
  /// - Throws: `LifecycleError` where no system makes the move from the current state; then nothing happens.
  public func move(_ move: Move) async throws(LifecycleError) {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        continuation.resume(
          returning: Result { () throws(LifecycleError) in try self.moveOnMain(move) })
      }
    }
    try result.get()
  }

  /// Makes a move; to be called on the main queue.
  func moveOnMain(_ move: Move) throws(LifecycleError) {
    let state = tasks.withLock { $0.state }
    guard let next = move.destination(from: state) else {
      throw LifecycleError(
        description: "no system makes the move “\(move.rawValue)” from \(state.text)")
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

/// Why a lifecycle move was refused.
public struct LifecycleError: Error, CustomStringConvertible {
  /// The move, and from where it was tried.
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

  /// Ends the work; it no longer expires.
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
