import Synchronization

/// The scenario of a task storm: the tasks of the code under test, and the checks after the tasks
/// have ended.
public final class TaskScenario: Sendable {
  struct TaskEntry: Sendable {
    let name: String
    let mayBeCancelled: Bool
    let body: @Sendable () async throws -> Void
  }

  private struct State {
    var offers: [TaskEntry] = []
    var checks: [StormCheck<@Sendable () async -> Bool>] = []
    var failures: [String] = []
    var kept: [any Sendable] = []
  }

  private let state = Mutex(State())

  init() {}

  /// Adds a task. The storm decides when the task starts, and also orders its child tasks.
  ///
  /// - Parameters:
  ///   - name: The name of the task in schedules. If a name is used twice, the second task gets the
  ///     name with a number, such as “load 2”.
  ///   - mayBeCancelled: True if the storm may cancel the task. Then the storm cancels the
  ///     task at each of its suspension points, in separate runs.
  ///   - body: The task's operation.
  public func task(
    _ name: String, mayBeCancelled: Bool = true, _ body: @escaping @Sendable () async throws -> Void
  ) {
    let word = String(name.map { ";:\n".contains($0) ? " " : $0 })
    state.withLock { state in
      let count = state.offers.count { $0.name == word || $0.name.hasPrefix(word + " ") }
      let name = count == 0 ? word : "\(word) \(count + 1)"
      state.offers.append(TaskEntry(name: name, mayBeCancelled: mayBeCancelled, body: body))
    }
  }

  /// Adds a check that must hold after all tasks have ended.
  public func check(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ holds: @escaping @Sendable () async -> Bool
  ) {
    state.withLock { $0.checks.append(StormCheck(name, at: fileID, line, holds)) }
  }

  /// Reports a failure. May be called from any task, at any time.
  public func fail(_ reason: String, fileID: StaticString = #fileID, line: UInt = #line) {
    state.withLock { $0.failures.append("\(reason)\n  reported at \(fileID):\(line)") }
  }

  /// Keeps an object alive until the run ends.
  public func keep(_ object: any Sendable & AnyObject) {
    state.withLock { $0.kept.append(object) }
  }
}

extension TaskScenario {
  var offers: [TaskEntry] { state.withLock { $0.offers } }
  var checks: [StormCheck<@Sendable () async -> Bool>] { state.withLock { $0.checks } }
  var firstFailure: String? { state.withLock { $0.failures.first } }
}
