/// A bug that a storm found, and the fewest deliveries that show it.
public struct StormBug: Sendable {
  /// What provokes it.
  public let schedule: Schedule
  /// The seed that found it; nil for a replay.
  public let seed: UInt64?
  /// Among how many deliveries it was found.
  let sought: Int?
  /// In how many of `runs` the schedule failed when it was played again: all of them, unless
  /// deliveries overlap in time.
  public let failures: Int
  /// How often the schedule was played again.
  public let runs: Int
  /// What went wrong.
  public let reason: String
}

extension StormBug: CustomStringConvertible {
  /// What a failed test says of it.
  public var description: String {
    var lines: [String] = []
    if let seed, let sought {
      let count = schedule.deliveries == 1 ? "1 delivery" : "\(schedule.deliveries) deliveries"
      lines.append("seed \(seed) found a bug within \(sought) deliveries; \(count) is enough:")
    } else {
      lines.append("the replayed deliveries fail:")
    }
    lines += schedule.steps.enumerated().map { "  \($0 + 1). \($1)" }
    if runs > 1 {
      lines.append("deliveries overlap in time: failed in \(failures) of \(runs) runs")
    } else if failures == 0 {
      lines.append(
        "played again it did not fail: something besides the deliveries has a part in it")
    }
    lines.append(reason)
    lines.append("exactly this again: CallbackStorm(replaying: \"\(schedule)\")")
    return lines.joined(separator: "\n")
  }
}
