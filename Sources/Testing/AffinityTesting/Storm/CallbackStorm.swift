/// A test of callbacks: it delivers them in all the ways in which a system may deliver them, and
/// shrinks a failure to the fewest deliveries.
///
/// A storm delivers callbacks on and off the main queue, inside `main.sync`, after cancel, after
/// background, twice, concurrently, and while the main queue is busy. The same seed creates the
/// same deliveries.
///
///     try await CallbackStorm(seed: 7, deliveries: 200).run(against: { scenario in
///       let screen = PriceScreen()
///       scenario.callback("received prices") { n in screen.received(n) }
///     })
public struct CallbackStorm: Sendable {
  /// A function that sets up the code under test, once per schedule, and registers its callbacks
  /// with the scenario.
  public typealias Body = @Sendable (StormScenario) async throws -> Void

  private let source: StormSource

  /// Creates a storm with `deliveries` deliveries, chosen by the seed. A delivery that takes longer
  /// than `patience` counts as stuck.
  public init(
    seed: UInt64 = .random(in: 0...9999), deliveries: Int = 200, patience: Duration = .seconds(10)
  ) {
    source = StormSource(.seed(seed, count: deliveries), patience: patience)
  }

  /// Creates a storm with exactly the deliveries of a printed failure. A delivery that takes longer
  /// than `patience` counts as stuck.
  public init(replaying schedule: String, patience: Duration = .seconds(10)) {
    source = StormSource(.schedule(schedule), patience: patience)
  }

  /// Runs the storm. If it finds a bug, fails the test with the fewest deliveries that still show
  /// the bug.
  ///
  /// `body` sets up the code under test, once per schedule. With `inChildren`, each schedule runs
  /// in a child process, which is required for bugs that trap; `body` must then not capture
  /// anything. If `body` captures nothing, schedules with overlapping deliveries always run in
  /// children.
  public func run(
    inChildren: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, against body: @escaping Body
  ) async throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let bug = try await search(inChildren: inChildren, against: body)
    if let bug { place.fail("\(bug)") }
  }

  /// Runs the storm as `run` does, but returns the bug instead of failing the test.
  ///
  ///     let bug = try await CallbackStorm(seed: 7).findBug(against: { scenario in … })
  ///     #expect(bug?.schedule.deliveries == 1)
  ///
  /// - Returns: The bug, with the fewest deliveries that still show it; nil if the storm found no
  ///   bug.
  public func findBug(
    inChildren: Bool = false, against body: @escaping Body
  ) async throws -> StormBug? {
    try await search(inChildren: inChildren, against: body)
  }

  /// - Parameter rules: The rules that must have no finding in the log of a child.
  package func search(
    inChildren: Bool, forbidding rules: Set<String> = [], against body: @escaping Body
  ) async throws -> StormBug? {
    let runner = try runner(inChildren: inChildren, rules, body)
    let availableSteps = try await runner.availableSteps()
    guard !availableSteps.callbacks.isEmpty else { throw StormError.nothingToDeliver }
    let search = StormSearch(
      body: body, runner: runner, patience: .milliseconds(source.patience))
    switch source.schedules {
    case .schedule(let text):
      let schedule = try StormSchedule(parsing: text)
      try schedule.check(against: availableSteps)
      return try await search.replay(schedule)
    case .seed(let seed, let deliveries):
      return try await search.find(among: deliveries, seed: seed, availableSteps)
    }
  }

  private func runner(
    inChildren: Bool, _ rules: Set<String>, _ body: @escaping Body
  ) throws -> any ScheduleRunner {
    if inChildren { return try ChildProcessRunner(body: body, forbidding: rules) }
    var seed: UInt64?
    if case .seed(let number, _) = source.schedules { seed = number }
    let own = OwnProcessRunner(body: body, seed: seed)
    guard let children = try? ChildProcessRunner(body: body) else { return own }
    return SplitRunner(own: own, children: children)
  }
}

/// The reason why a storm could not run.
public struct StormError: Error, CustomStringConvertible {
  /// The reason as text.
  public let description: String

  package init(description: String) { self.description = description }

  static let mainQueueIsBlocked = StormError(
    description: "the main queue of this process is blocked, so no storm can run in this process")
  static let nothingToDeliver = StormError(
    description: "the scenario has no callback, so there is nothing to deliver")
}
