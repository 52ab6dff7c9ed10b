import Breadcrumbs
import Dispatch
import Foundation
import IncidentModel

/// Plays schedules against code under test, which is set up anew for each.
protocol ScheduleRunner: Sendable {
  /// What the code under test has to deliver.
  func repertoire() async throws -> StormSchedule.Repertoire

  /// What goes wrong in the course of a schedule; nil where nothing does.
  ///
  /// - Parameter patience: How long a delivery may take before it counts as stuck.
  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval
  ) async throws -> StormFailure?
}

/// Plays schedules in this process.
struct OwnProcessRunner: ScheduleRunner {
  let body: CallbackStorm.Body
  private let memory: StormMemory
  private let recorder: BreadcrumbRecorder?

  /// - Parameter recorder: Where the scenario and its lifecycle leave their crumbs.
  init(
    body: @escaping CallbackStorm.Body, memory: StormMemory = StormMemory(),
    recorder: BreadcrumbRecorder? = nil
  ) {
    self.body = body
    self.memory = memory
    self.recorder = recorder
  }

  func repertoire() async throws -> StormSchedule.Repertoire {
    let scenario = StormScenario()
    await scenario.launch()
    try await body(scenario)
    return scenario.repertoire
  }

  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval
  ) async throws -> StormFailure? {
    try await failure(of: schedule, patience: patience) { _ in }
  }

  /// - Parameter willTake: Told of each step before it is taken.
  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval,
    willTake: @escaping @Sendable (Int) -> Void
  ) async throws -> StormFailure? {
    await StageDoor.shared.enter()
    let result = await Result.capturing {
      try await play(schedule, patience, willTake)
    }
    await StageDoor.shared.leave()
    return try result.get()
  }

  private func play(
    _ schedule: StormSchedule, _ patience: DispatchTimeInterval,
    _ willTake: @escaping @Sendable (Int) -> Void
  ) async throws -> StormFailure? {
    guard await MainQueueTurn.comes() else { throw StormError.mainQueueIsBlocked }
    let session = ViolationSession()
    // The stage has seen the main queue to its end, or knows that it does not come.
    return try await session.run(awaitingMain: false) {
      let scenario = StormScenario(recorder: recorder)
      await scenario.launch()
      try await body(scenario)
      return await withCheckedContinuation { continuation in
        Thread { [memory] in
          let stage = Stage(scenario, in: session, patience: patience, memory)
          continuation.resume(returning: stage.play(schedule, willTake: willTake))
        }.start()
      }
    }
  }
}

extension Result where Failure == any Error {
  fileprivate static func capturing(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}

extension DispatchTimeInterval {
  /// The interval in words.
  var text: String {
    TimeSpan.text(nanoseconds: UInt64(clamping: milliseconds) &* 1_000_000)
  }

  var twice: DispatchTimeInterval { .milliseconds(2 * milliseconds) }

  /// The interval in whole milliseconds; storms have none that is longer than a day.
  var milliseconds: Int {
    switch self {
    case .seconds(let count): count * 1000
    case .milliseconds(let count): count
    default: 0
    }
  }
}
