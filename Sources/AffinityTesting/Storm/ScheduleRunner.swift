import Foundation

/// Plays schedules against code under test, which is set up anew for each.
protocol ScheduleRunner: Sendable {
  /// What the code under test has to deliver.
  func repertoire() async throws -> Schedule.Repertoire

  /// What goes wrong in the course of a schedule; nil where nothing does.
  func failure(of schedule: Schedule) async throws -> StormFailure?
}

/// Plays schedules in this process.
struct OwnProcessRunner: ScheduleRunner {
  let body: CallbackStorm.Body

  func repertoire() async throws -> Schedule.Repertoire {
    let shim = Shim()
    try await body(shim)
    return shim.repertoire
  }

  func failure(of schedule: Schedule) async throws -> StormFailure? {
    try await failure(of: schedule) { _ in }
  }

  /// - Parameter willTake: Told of each step before it is taken.
  func failure(
    of schedule: Schedule, willTake: @escaping @Sendable (Int) -> Void
  ) async throws -> StormFailure? {
    let session = ViolationSession()
    return try await session.run {
      let shim = Shim()
      await shim.launch()
      try await body(shim)
      return await withCheckedContinuation { continuation in
        Thread {
          let failure = Stage(shim, in: session).play(schedule, willTake: willTake)
          continuation.resume(returning: failure)
        }.start()
      }
    }
  }
}
