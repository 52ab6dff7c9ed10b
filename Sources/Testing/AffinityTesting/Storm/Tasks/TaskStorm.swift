import Dispatch

/// A test of tasks: it runs them in all the orders that their suspension points allow, cancels them
/// at each suspension point, and shrinks a failure to the fewest deviations from the default order.
///
/// Only one task runs at a time, and the storm chooses the next task at each suspension point: an
/// `await`, a change of actor, a resumed continuation. The same seed creates the same runs.
///
///     try await TaskStorm(seed: 7).run(against: { scenario in
///       let account = Account()
///       scenario.task("deposit") { await account.deposit(10) }
///       scenario.task("interest") { await account.addInterest() }
///       scenario.check("nothing is lost") { await account.balance == 121 }
///     })
public struct TaskStorm: Sendable {
  /// A function that sets up the code under test, once per run, and adds its tasks to the scenario.
  public typealias Body = @Sendable (TaskScenario) async throws -> Void

  private let source: StormSource

  /// Creates a storm with at most `runs` runs, chosen by the seed. A task that still waits after
  /// nothing else has happened for `patience` counts as lost.
  public init(
    seed: UInt64 = .random(in: 0...9999), runs: Int = 200, patience: Duration = .seconds(1)
  ) {
    source = StormSource(.seed(seed, count: runs), patience: patience)
  }

  /// Creates a storm with exactly the order of a printed failure.
  public init(replaying schedule: String, patience: Duration = .seconds(1)) {
    source = StormSource(.schedule(schedule), patience: patience)
  }

  /// Runs the storm. If it finds a bug, fails the test with the fewest deviations that still show
  /// the bug.
  ///
  /// `body` sets up the code under test, once per run. With `inChildren`, each run is in a child
  /// process, which is required for bugs that trap; `body` must then not capture anything.
  public func run(
    inChildren: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, against body: @escaping Body
  ) async throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let bug = try await findBug(inChildren: inChildren, against: body)
    if let bug { place.fail("\(bug)") }
  }

  /// Runs the storm as `run` does, but returns the bug instead of failing the test.
  ///
  /// - Returns: The bug, with the fewest deviations that still show it; nil if the storm found no
  ///   bug.
  public func findBug(
    inChildren: Bool = false, against body: @escaping Body
  ) async throws -> TaskStormBug? {
    guard TaskTurns.arePossible else { throw StormError.tasksCannotBeOrdered }
    let patience = DispatchTimeInterval.milliseconds(source.patience)
    let runner: any TaskRunner =
      inChildren
      ? try ChildProcessTaskRunner(body: body, patience: patience)
      : OwnProcessTaskRunner(body: body, patience: patience)
    let search = TaskStormSearch(runner: runner)
    switch source.schedules {
    case .schedule(let text): return try await search.replay(TaskSchedule(parsing: text))
    case .seed(let seed, let runs): return try await search.find(among: runs, seed: seed)
    }
  }
}

extension StormError {
  static let tasksCannotBeOrdered = StormError(
    description: "this Swift runtime does not support a chosen order of tasks")
  static let noTasks = StormError(
    description: "the scenario has no task, so there is nothing to run")
}
