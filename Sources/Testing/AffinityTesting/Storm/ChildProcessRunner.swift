import Dispatch
import Foundation

/// Plays each schedule in a child process, so that a bug may trap.
struct ChildProcessRunner: ScheduleRunner {
  private let code: CodeAddress
  private let memory = StormMemory()
  private let forbidden: Set<String>

  /// - Parameter rules: The rules that must have no finding in the log of a child.
  init(
    body: @escaping CallbackStorm.Body, forbidding rules: Set<String> = []
  ) throws(StormError) {
    code = try CallbackBody(body: body).place(orElse: .capturingBody)
    forbidden = rules
  }

  var doubt: String? { nil }

  func availableSteps() async throws -> StormSchedule.AvailableSteps {
    let child = try await TestChild.run(.describe, code: code)
    defer { child.discard() }
    guard let availableSteps = child.answer(StormSchedule.AvailableSteps.self) else {
      throw StormError(description: "the storm's body failed in a child process: \(child.errors)")
    }
    return availableSteps
  }

  func failure(
    of schedule: StormSchedule, patience: DispatchTimeInterval
  ) async throws -> StormFailure? {
    try await failures(of: schedule, patience, times: 1, upTo: 1).failures.first
  }

  /// Plays the schedule repeatedly in one child until the child dies. A race needs many plays, and
  /// starting a child is expensive.
  func failures(
    of schedule: StormSchedule, times: PlayCount, upTo limit: Int, patience: DispatchTimeInterval
  ) async throws -> [StormFailure] {
    // A log must contain only one play if findings are forbidden.
    let isOneByOne = !forbidden.isEmpty
    var found: [StormFailure] = []
    var played = 0
    while played < times.most, found.count < limit {
      let left = PlayCount(most: times.most - played, least: max(times.least - played, 0))
      let outcome = try await failures(
        of: schedule, patience, times: isOneByOne ? 1 : left, upTo: limit - found.count)
      found += outcome.failures
      played += max(outcome.plays, 1)
    }
    return found
  }

  private func failures(
    of schedule: StormSchedule, _ patience: DispatchTimeInterval, times: PlayCount, upTo limit: Int
  ) async throws -> (failures: [StormFailure], plays: Int) {
    let play = ChildOrder.Task.play(
      "\(schedule)", patience: patience.milliseconds, number: memory.nextPlays(times.most),
      times: times, upTo: limit)
    // The limit leaves time for a stuck delivery and for its report.
    let child = try await TestChild.run(
      play, code: code, patience: 600 + Double(patience.milliseconds) / 250)
    defer { child.discard() }
    let answer = child.answer([StormFailure].self)
    if child.signal == SIGQUIT, var failures = answer, let stuck = failures.popLast() {
      let text = [stuck.text, child.read().text].joined(separator: "\n")
      let told = StormFailure(key: stuck.key, text: text, step: stuck.step, isStuck: true)
      return (failures + [told], progress(of: child).plays)
    }
    if child.signal == 0, child.status == 0 {
      if let answer {
        return (answer.isEmpty ? try finding(of: child).map { [$0] } ?? [] : answer, times.most)
      }
      let exit = StormFailure(
        key: "exit", text: "the code under test ended the process", step: progress(of: child).step)
      return ([exit], progress(of: child).plays)
    }
    guard child.signal != 0 else {
      throw StormError(description: "the storm's body failed in a child process: \(child.errors)")
    }
    let (plays, step) = progress(of: child)
    return ([child.death(step: step)], plays)
  }

  /// The forbidden finding in the log of a child. An unreadable log is an error, because it does
  /// not prove the absence of findings.
  private func finding(of child: TestChild) throws -> StormFailure? {
    guard !forbidden.isEmpty else { return nil }
    guard let report = try child.report() else {
      throw StormError(description: TestChild.noReader)
    }
    guard let found = report.findings.first(where: { forbidden.contains($0.rule) && !$0.isNote })
    else { return nil }
    return StormFailure(
      key: "finding \(found.rule) \(found.culprit ?? "")",
      text: "crashscan found \(found.rule) in the recording:\n\(report.text)",
      step: progress(of: child).step)
  }

  /// The number of plays that the child started, and the last step of the last play.
  private func progress(of child: TestChild) -> (plays: Int, step: Int) {
    guard let bytes = FileManager.default.contents(atPath: child.order.progress), bytes.count == 16
    else { return (0, 0) }
    return bytes.withUnsafeBytes { bytes in
      (
        Int(bytes.loadUnaligned(as: Int64.self)),
        Int(bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
      )
    }
  }
}

extension StormError {
  static let capturingBody = StormError(
    description:
      "a storm in child processes needs a body without captures. Pass a closure that calls your function instead of "
      + "the function itself, and mark closures inside the body as @MainActor instead of the body")
}
