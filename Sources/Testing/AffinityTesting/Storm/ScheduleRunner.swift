import Breadcrumbs
import Dispatch
import Foundation

/// Plays schedules against the code under test, which is set up anew for each schedule.
protocol ScheduleRunner: Sendable {
  /// The callbacks and actions of the code under test.
  func availableSteps() async throws -> StormSchedule.AvailableSteps

  /// The reason why the same deliveries may behave differently when replayed; nil if the storm
  /// controls their order completely.
  var doubt: String? { get }

  /// Plays a schedule repeatedly and returns the failures, at most `limit`.
  func failures(
    of schedule: StormSchedule, times: PlayCount, upTo limit: Int, patience: DispatchTimeInterval
  ) async throws -> [StormFailure]

  /// Plays a schedule once and returns its failure; nil if the schedule does not fail.
  ///
  /// - Parameter patience: The time after which a delivery counts as stuck.
  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval
  ) async throws -> StormFailure?
}

/// The number of times a schedule is played.
struct PlayCount: Codable, Sendable {
  let most: Int
  /// The number of plays that is enough once `dear` instructions were counted.
  let least: Int

  /// A limit of counted instructions; counting that many takes less than a second.
  static let dear: UInt64 = 1 << 17
}

extension PlayCount: ExpressibleByIntegerLiteral {
  init(_ count: Int) { self.init(most: count, least: count) }

  init(integerLiteral count: Int) { self.init(count) }
}

/// Plays schedules in this process.
struct OwnProcessRunner: ScheduleRunner {
  let body: CallbackStorm.Body
  private let memory: StormMemory
  private let recorder: BreadcrumbRecorder?
  private let seed: UInt64?

  /// - Parameters:
  ///   - recorder: The recorder for the crumbs of the scenario and its lifecycle.
  ///   - seed: The seed of the schedules, for the message if a signal ends the process.
  init(
    body: @escaping CallbackStorm.Body, memory: StormMemory = StormMemory(),
    recorder: BreadcrumbRecorder? = nil, seed: UInt64? = nil
  ) {
    self.seed = seed
    self.body = body
    self.memory = memory
    self.recorder = recorder
  }

  var doubt: String? { memory.doubt }

  func availableSteps() async throws -> StormSchedule.AvailableSteps {
    let scenario = StormScenario()
    try await scenario.launch()
    try await body(scenario)
    return scenario.availableSteps
  }

  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval
  ) async throws -> StormFailure? {
    try await failure(of: schedule, patience: patience) { _ in }
  }

  func failures(
    of schedule: StormSchedule, times: PlayCount, upTo limit: Int, patience: DispatchTimeInterval
  ) async throws -> [StormFailure] {
    try await failures(of: schedule, times: times, upTo: limit, patience: patience) { _, _ in }
  }

  /// - Parameter willTake: Called before each step with the number of the play, from 1, and of the
  ///   step.
  func failures(
    of schedule: StormSchedule, times: PlayCount, upTo limit: Int, patience: DispatchTimeInterval,
    willTake: @escaping @Sendable (_ play: Int, _ step: Int) -> Void
  ) async throws -> [StormFailure] {
    let before = memory.countedInstructions
    var found: [StormFailure] = []
    for play in 1...max(times.most, 1) where found.count < limit {
      let spent = memory.countedInstructions - before
      if play > times.least, spent >= PlayCount.dear { break }
      let failure = try await failure(of: schedule, patience: patience) { willTake(play, $0) }
      if let failure { found.append(failure) }
      if failure?.isStuck == true { break }
    }
    return found
  }

  /// - Parameter willTake: Called before each step with the number of the step.
  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval,
    willTake: @escaping @Sendable (Int) -> Void
  ) async throws -> StormFailure? {
    await StormLock.shared.enter()
    let result = await Result.capturing {
      try await ExitMessage.telling(of: schedule, seed: seed) {
        try await play(schedule, patience) { step in
          ExitMessage.willTake(step)
          willTake(step)
        }
      }
    }
    await StormLock.shared.leave()
    return try result.get()
  }

  private func play(
    _ schedule: StormSchedule, _ patience: DispatchTimeInterval,
    _ willTake: @escaping @Sendable (Int) -> Void
  ) async throws -> StormFailure? {
    guard await MainQueueTurn.comes() else { throw StormError.mainQueueIsBlocked }
    let session = ViolationSession(ordering: TaskHold())
    // The session need not wait for the main queue: the player has already waited for it, or has
    // found that it does not respond.
    return try await session.run(awaitingMain: false) {
      let scenario = StormScenario(recorder: recorder)
      try await scenario.launch()
      try await body(scenario)
      return await withCheckedContinuation { continuation in
        SentWork.onThread { [memory] in
          let stage = SchedulePlayer(scenario, in: session, patience: patience, memory)
          continuation.resume(returning: stage.play(schedule, willTake: willTake))
        }
      }
    }
  }
}

/// Plays schedules with overlapping deliveries in child processes, because a race may end the
/// process, and all other schedules in this process.
struct SplitRunner: ScheduleRunner {
  let own: OwnProcessRunner
  let children: ChildProcessRunner

  var doubt: String? { own.doubt }

  func availableSteps() async throws -> StormSchedule.AvailableSteps {
    try await own.availableSteps()
  }

  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval
  ) async throws -> StormFailure? {
    try await runner(of: schedule).failure(of: schedule, patience: patience)
  }

  func failures(
    of schedule: StormSchedule, times: PlayCount, upTo limit: Int, patience: DispatchTimeInterval
  ) async throws -> [StormFailure] {
    try await runner(of: schedule).failures(
      of: schedule, times: times, upTo: limit, patience: patience)
  }

  private func runner(of schedule: StormSchedule) -> any ScheduleRunner {
    schedule.overlaps ? children : own
  }
}

extension Result where Failure == any Error {
  static func capturing(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}

extension DispatchTimeInterval {
  /// The interval as text.
  var text: String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  var twice: DispatchTimeInterval { .milliseconds(2 * milliseconds) }

  /// The interval in whole milliseconds. Intervals of storms are at most a day long.
  var milliseconds: Int {
    switch self {
    case .seconds(let count): count * 1000
    case .milliseconds(let count): count
    default: 0
    }
  }
}
