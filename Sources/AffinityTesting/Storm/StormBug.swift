/// A bug that a storm found, and the fewest deliveries that show it.
public struct StormBug: Sendable {
  /// What provokes it.
  public let schedule: StormSchedule
  /// The seed that found it; nil for a replay.
  public let seed: UInt64?
  /// Among how many deliveries it was found.
  let sought: Int?
  /// In how many of `runs` the schedule failed when it was played again: all of them, unless
  /// deliveries overlap in time.
  public let failures: Int
  /// How often the schedule was played again; 0 where the bug has left this process unable to.
  public let runs: Int
  /// What went wrong.
  public let reason: String
}

extension StormBug: CustomStringConvertible {
  /// What a failed test says of it.
  public var description: String {
    var lines = [headline]
    lines += schedule.steps.enumerated().map { "  \($0 + 1). \($1)" }
    lines += repetition
    lines.append(reason)
    lines.append("to replay exactly this: CallbackStorm(replaying: \"\(schedule)\")")
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    guard let seed, let sought else { return "the replayed deliveries fail:" }
    let count = schedule.deliveries == 1 ? "1 delivery" : "\(schedule.deliveries) deliveries"
    let found = "seed \(seed) found a bug within \(sought) deliveries; \(count)"
    return runs == 0
      ? "\(found) led to it:" : "\(found) \(schedule.deliveries == 1 ? "is" : "are") enough:"
  }

  private var repetition: [String] {
    if runs == 0 {
      return [
        "a delivery that is stuck cannot be replayed in this process: inChildren: true finds the fewest"
      ]
    }
    if runs > 1 { return ["deliveries overlap in time: failed in \(failures) of \(runs) runs"] }
    if failures > 0 { return [] }
    return ["it did not fail when replayed: it depends on more than the deliveries"]
  }
}
