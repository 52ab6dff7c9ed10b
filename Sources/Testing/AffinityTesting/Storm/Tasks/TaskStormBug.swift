/// A bug that a task storm found, with the fewest deviations from the default order that show it.
public struct TaskStormBug: Sendable {
  /// The deviations from the default order.
  public let schedule: TaskSchedule
  /// The seed that found the bug; nil for a replay.
  public let seed: UInt64?
  /// The number of runs in the search; nil for a replay.
  let sought: Int?
  /// True if the failure recurred in a replay.
  let failed: Bool
  /// A description of the failure.
  public let reason: String
  let play: TaskSchedulePlayer.RunResult
}

extension TaskStormBug: CustomStringConvertible {
  /// The message of a failed test.
  public var description: String {
    var lines = [headline] + turns
    if !failed { lines.append("the replay did not fail: the bug depends on more than the order") }
    if let doubt { lines.append("the storm does not fully control the order: \(doubt)") }
    lines.append(reason)
    let words = failed && doubt == nil ? "this failure" : "this order"
    lines.append("to replay \(words): TaskStorm(replaying: \"\(schedule)\")")
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    guard let seed, let sought else { return "the replayed order fails:" }
    let found = "seed \(seed) found a bug within \(sought) runs; "
    switch schedule.changes {
    case 0: return found + "the unchanged order shows the bug:"
    case 1: return found + "1 change of the order is enough:"
    default: return found + "\(schedule.changes) changes of the order are enough:"
    }
  }

  private static let mostLines = 40

  /// The turns as lines of text. Consecutive turns of one task share a line unless the schedule
  /// changed one of them.
  private var turns: [String] {
    var lines: [(first: Int, last: Int, text: String)] = []
    for (index, turn) in play.turns.enumerated() {
      let number = index + 1
      var text = turn.cancelled.map { "cancel \($0), then " }.joined() + turn.name
      if turn.isChanged { text += ", before \(turn.others.joined(separator: ", "))" }
      if let line = lines.last, line.text == text, turn.cancelled.isEmpty, !turn.isChanged {
        lines[lines.count - 1].last = number
      } else {
        lines.append((number, number, text))
      }
    }
    let shown = lines.prefix(Self.mostLines).map { line in
      "  \(line.first == line.last ? "\(line.first)" : "\(line.first)–\(line.last)"). \(line.text)"
    }
    return shown + (lines.count > shown.count ? ["  …"] : [])
  }

  private var doubt: String? {
    play.hasSeenOutside ? "a timer or a thread outside the storm resumed a task" : nil
  }
}
