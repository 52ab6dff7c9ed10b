/// Delivers callbacks in every way a system may deliver them, and shrinks what fails.
///
/// On main and off it, inside `main.sync`, after cancel, after background, twice, concurrently, while
/// the main queue is busy: as a seed chooses, and the same for the same seed.
///
///     try await CallbackStorm(seed: 7, deliveries: 200).run(against: { scenario in
///       let screen = PriceScreen()
///       scenario.callback("received prices") { n in screen.received(n) }
///     })
public struct CallbackStorm: Sendable {
  /// Sets the code under test up, anew for each schedule, and hands its callbacks to the scenario.
  public typealias Body = @Sendable (StormScenario) async throws -> Void

  private enum Source: Sendable {
    case seed(UInt64, deliveries: Int)
    case schedule(String)
  }

  private let source: Source
  private let patience: Duration

  /// A storm of as many deliveries, as the seed chooses them.
  ///
  /// - Parameter patience: How long a delivery may take before it counts as stuck.
  public init(
    seed: UInt64 = .random(in: 0...9999), deliveries: Int = 200, patience: Duration = .seconds(10)
  ) {
    source = .seed(seed, deliveries: deliveries)
    self.patience = patience
  }

  /// Exactly the deliveries that a failure has printed.
  ///
  /// - Parameter patience: How long a delivery may take before it counts as stuck.
  public init(replaying schedule: String, patience: Duration = .seconds(10)) {
    source = .schedule(schedule)
    self.patience = patience
  }

  /// Runs the storm, and fails the test with the fewest deliveries that still fail.
  ///
  /// - Parameters:
  ///   - inChildren: Whether each schedule is played in a process of its own, which bugs that trap
  ///     need. `body` then captures nothing.
  ///   - findings: What `crashscan` must not find, notes apart, in what a schedule has recorded;
  ///     where there are any, each is played in a process of its own.
  ///   - body: Sets the code under test up, anew for each schedule.
  public func run(
    inChildren: Bool = false, forbidding findings: ExpectedFinding...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, against body: @escaping Body
  ) async throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let bug = try await search(inChildren: inChildren, forbidding: findings, in: body)
    if let bug { place.fail("\(bug)") }
  }

  /// Runs the storm, and returns the bug it found, in the fewest deliveries that still show it.
  public func findBug(
    inChildren: Bool = false, forbidding findings: ExpectedFinding..., in body: @escaping Body
  ) async throws -> StormBug? {
    try await search(inChildren: inChildren, forbidding: findings, in: body)
  }

  private func search(
    inChildren: Bool, forbidding findings: [ExpectedFinding], in body: @escaping Body
  ) async throws -> StormBug? {
    let runner: any ScheduleRunner =
      inChildren || !findings.isEmpty
      ? try ChildProcessRunner(body: body, forbidding: findings) : OwnProcessRunner(body: body)
    let repertoire = try await runner.repertoire()
    guard !repertoire.callbacks.isEmpty else { throw StormError.nothingToDeliver }
    let search = StormSearch(
      body: body, runner: runner,
      patience: .milliseconds(Int(min(patience, .seconds(86_400)) / .milliseconds(1))))
    switch source {
    case .schedule(let text): return try await search.replay(try StormSchedule(parsing: text))
    case .seed(let seed, let deliveries):
      return try await search.find(among: deliveries, seed: seed, repertoire)
    }
  }
}

/// Why a storm could not be run.
public struct StormError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String

  static let mainQueueIsBlocked = StormError(
    description: "the main queue of this process is blocked, so no storm can run here")
  static let nothingToDeliver = StormError(
    description: "the scenario has no callback, so there is nothing to deliver")
}
