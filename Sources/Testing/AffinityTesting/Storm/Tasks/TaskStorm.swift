import Dispatch

/// Runs tasks in all the orders that their suspension points allow, cancels them at each, and shrinks a failure
/// to the fewest changes of the order.
///
/// One task runs at a time, and the storm chooses the next one at each suspension point: a wait, a change of
/// actor, a resumed continuation. The same seed makes the same runs.
///
///     try await TaskStorm(seed: 7).run(against: { scenario in
///       let account = Account()
///       scenario.task("deposit") { await account.deposit(10) }
///       scenario.task("interest") { await account.addInterest() }
///       scenario.check("nothing is lost") { await account.balance == 121 }
///     })
public struct TaskStorm: Sendable {
  /// Sets up the code under test, again for each run, and gives its tasks to the scenario.
  public typealias Body = @Sendable (TaskScenario) async throws -> Void

  private let source: StormSource

  /// Creates a storm with this many runs at most, chosen by the seed. A task that still waits when nothing else
  /// has happened for as long as `patience` counts as lost.
  public init(
    seed: UInt64 = .random(in: 0...9999), runs: Int = 200, patience: Duration = .seconds(1)
  ) {
    source = StormSource(.seed(seed, count: runs), patience: patience)
  }

  /// Creates a storm with exactly the order that a failure has printed.
  public init(replaying schedule: String, patience: Duration = .seconds(1)) {
    source = StormSource(.schedule(schedule), patience: patience)
  }

  /// Runs the storm, and fails the test with the fewest changes of the order that still fail.
  ///
  /// `body` sets up the code under test, again for each run. With `inChildren`, each run is in a process of its own,
  /// which is needed for bugs that trap; `body` must then not capture anything.
  public func run(
    inChildren: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, against body: @escaping Body
  ) async throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let bug = try await findBug(inChildren: inChildren, against: body)
    if let bug { place.fail("\(bug)") }
  }

  /// Runs the storm as `run` does, but returns the bug it found instead of failing the test.
  ///
  /// - Returns: The bug, with the fewest changes that still show it; nil if none was found.
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
    description: "this Swift runtime does not let the order of tasks be chosen")
  static let noTasks = StormError(
    description: "the scenario has no task, so there is nothing to run")
}
