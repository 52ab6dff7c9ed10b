import Dispatch
import Foundation

/// Plays task schedules against the code under test, which is set up anew for each schedule.
protocol TaskRunner: Sendable {
  /// - Parameter seed: The seed of the schedule, if known.
  func play(_ schedule: TaskSchedule, seed: UInt64?) async throws -> TaskSchedulePlayer.RunResult
}

/// Plays task schedules in this process.
struct OwnProcessTaskRunner: TaskRunner {
  let body: TaskStorm.Body
  let patience: DispatchTimeInterval
  var willTake: @Sendable (TaskSchedulePlayer.Step) -> Void = { _ in }

  func play(_ schedule: TaskSchedule, seed: UInt64?) async throws -> TaskSchedulePlayer.RunResult {
    await StormLock.shared.enter()
    let result = await Result.capturing {
      try await ExitMessage.telling(ofTasks: schedule, seed: seed) { try await playAlone(schedule) }
    }
    await StormLock.shared.leave()
    return try result.get()
  }

  private func playAlone(_ schedule: TaskSchedule) async throws -> TaskSchedulePlayer.RunResult {
    guard await MainQueueTurn.comes() else { throw StormError.mainQueueIsBlocked }
    let session = ViolationSession()
    return try await session.run(awaitingMain: false) {
      let scenario = TaskScenario()
      try await body(scenario)
      if scenario.offers.isEmpty { throw StormError.noTasks }
      return await withCheckedContinuation { continuation in
        SentWork.onThread { [patience, willTake] in
          let stage = TaskSchedulePlayer(
            scenario, in: session, patience: patience, willTake: willTake)
          continuation.resume(returning: stage.play(schedule))
        }
      }
    }
  }
}

/// Plays each task schedule in a child process, so that a bug may trap.
struct ChildProcessTaskRunner: TaskRunner {
  private let code: CodeAddress
  private let patience: DispatchTimeInterval

  init(body: @escaping TaskStorm.Body, patience: DispatchTimeInterval) throws(StormError) {
    code = try TaskBody(body: body).place(orElse: .capturingBody)
    self.patience = patience
  }

  func play(_ schedule: TaskSchedule, seed: UInt64?) async throws -> TaskSchedulePlayer.RunResult {
    let child = try await TestChild.run(
      .playTasks("\(schedule)", patience: patience.milliseconds), code: code)
    defer { child.discard() }
    var play = played(by: child)
    if child.signal != 0 {
      play.failure = child.death(step: 0)
    } else if child.status != 0 {
      throw StormError(description: "the storm's body failed in a child process: \(child.errors)")
    } else if let whole = child.answer(TaskSchedulePlayer.RunResult.self) {
      play = whole
    } else {
      play.failure = StormFailure(
        key: "exit", text: "the code under test ended the process", step: 0)
    }
    return play
  }

  /// The part of a run that the child reported before it ended.
  private func played(by child: TestChild) -> TaskSchedulePlayer.RunResult {
    var play = TaskSchedulePlayer.RunResult()
    let told = FileManager.default.contents(atPath: child.order.progress) ?? Data()
    for line in told.split(separator: UInt8(ascii: "\n")) {
      guard let step = try? JSONDecoder().decode(TaskSchedulePlayer.Step.self, from: line) else {
        break
      }
      play.turns.append(step.turn)
      play.applied += step.applied
      play.hasSeenOutside = step.hasSeenOutside
    }
    return play
  }
}
