/// A bug that a storm found, with the fewest deliveries that show it.
public struct StormBug: Sendable {
  /// The deliveries that show it.
  public let schedule: StormSchedule
  /// The seed that found it; nil for a replay.
  public let seed: UInt64?
  /// Among how many deliveries it was found.
  let sought: Int?
  /// How many of `runs` failed: all of them, unless deliveries overlap in time.
  public let failures: Int
  /// How often the schedule was replayed; 0 if the bug made that impossible in this process.
  public let runs: Int
  /// What went wrong.
  public let reason: String
}

extension StormBug: CustomStringConvertible {
  /// The message of a failed test.
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
