internal import Dispatch

extension MainHop {
  /// Asks the target for a result by an asynchronous call, which begins after the earlier calls of this hop.
  ///
  /// Code that is isolated to an actor runs on that actor; other code runs on the main queue.
  ///
  /// - Returns: The answer; `fallback` if the target is gone or the hop was cancelled.
  public func ask<Value, Failure>(
    orElse fallback: Result<Value, Failure>,
    _ call: @escaping @Sendable (sending Target) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let turn: UncheckedHandover<Target>? = await withUnsafeContinuation { turn in
      send(
        { turn.resume(returning: UncheckedHandover($0)) }, orElse: { turn.resume(returning: nil) })
    }
    guard let turn else { return try fallback.get() }
    return try await QueueExecutor.main.run(turn, call)
  }
}

extension QueueHop {
  /// Asks the target for a result by an asynchronous call, as with `MainHop`.
  public func ask<Value, Failure>(
    orElse fallback: Result<Value, Failure>,
    _ call: @escaping @Sendable (sending Target) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let turn: UncheckedHandover<Target>? = await withUnsafeContinuation { turn in
      send(
        { turn.resume(returning: UncheckedHandover($0)) }, orElse: { turn.resume(returning: nil) })
    }
    guard let turn else { return try fallback.get() }
    guard case .queue(let queue) = core.destination.home else { return try fallback.get() }
    return try await QueueExecutor(queue).run(turn, call)
  }
}

extension MainHop {
  /// Asks the target for a result by an asynchronous call, which begins after the earlier calls of this hop.
  ///
  /// Code that is isolated to an actor runs on that actor; other code runs on the main queue.
  ///
  /// - Throws: The error of `call`; `CancellationError` if the target is gone, the hop was cancelled, or the
  ///   calling task was cancelled before the call began.
  public func ask<Value>(
    _ call: @escaping @Sendable (sending Target) async throws -> Value
  ) async throws -> Value {
    try await ask(orElse: Result<Value, any Error>.failure(CancellationError())) { target in
      try Task.checkCancellation()
      return try await call(target)
    }
  }
}

extension QueueHop {
  /// Asks the target for a result by an asynchronous call, as with `MainHop`.
  public func ask<Value>(
    _ call: @escaping @Sendable (sending Target) async throws -> Value
  ) async throws -> Value {
    try await ask(orElse: Result<Value, any Error>.failure(CancellationError())) { target in
      try Task.checkCancellation()
      return try await call(target)
    }
  }
}

/// An executor that runs the nonisolated code of a task on a queue.
private final class QueueExecutor: TaskExecutor {
  static let main = QueueExecutor(MainQueue.queue)

  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Makes the call with this executor as the task's preference.
  func run<Target, Value, Failure>(
    _ target: UncheckedHandover<Target>,
    _ call: @Sendable (sending Target) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let answer = await withTaskExecutorPreference(self) {
      do throws(Failure) {
        return UncheckedHandover(Result<Value, Failure>.success(try await call(target.value)))
      } catch {
        return UncheckedHandover(.failure(error))
      }
    }
    return try answer.value.get()
  }
}
