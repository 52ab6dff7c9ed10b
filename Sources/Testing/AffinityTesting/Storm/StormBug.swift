/// A bug that a storm found, with the fewest deliveries that show it.
public struct StormBug: Sendable {
  /// The deliveries that show the bug.
  public let schedule: StormSchedule
  /// The seed that found the bug; nil for a replay.
  public let seed: UInt64?
  /// The number of deliveries in the search; nil for a replay.
  let sought: Int?
  /// The number of `runs` that failed: all of them, unless deliveries overlap in time.
  public let failures: Int
  /// The number of times the schedule was replayed; 0 if this process could not replay it because
  /// of the bug.
  public let runs: Int
  /// A description of the failure.
  public let reason: String
  /// The reason why the same deliveries may behave differently when replayed.
  var doubt: String?
}

extension StormBug: CustomStringConvertible {
  /// The message of a failed test.
  public var description: String {
    var lines = [headline]
    lines += schedule.steps.enumerated().map { "  \($0 + 1). \($1)" }
    lines += repetition
    lines.append(reason)
    let words =
      schedule.overlaps || doubt != nil || failures == 0 ? "these deliveries" : "this failure"
    lines.append("to replay \(words): CallbackStorm(replaying: \"\(schedule)\")")
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    guard let seed, let sought else { return "the replayed deliveries fail:" }
    let found = "seed \(seed) found a bug within \(sought) deliveries; "
    let count = schedule.steps.count
    let word = count == schedule.deliveries ? ("delivery", "deliveries") : ("step", "steps")
    let counted = count == 1 ? "1 \(word.0)" : "\(count) \(word.1)"
    if runs == 0 { return "\(found)\(counted) led to the bug:" }
    return "\(found)\(counted) \(count == 1 ? "is" : "are") enough:"
  }

  private var repetition: [String] {
    if runs == 0 {
      return [
        "a stuck delivery cannot be replayed in this process: use inChildren: true to find the fewest deliveries"
      ]
    }
    var lines: [String] = []
    if runs > 1, failures > 0 {
      lines.append(
        "deliveries overlap in time: the replay failed again in \(failures) of \(runs) runs")
    } else if runs > 1 {
      lines.append(
        "deliveries overlap in time: the storm failed once, but not again in \(runs) runs, so the bug is a rare race"
      )
    } else if failures == 0 {
      lines.append("the replay did not fail: the bug depends on more than the deliveries")
    }
    if let doubt { lines.append("the storm does not fully control the order: \(doubt)") }
    return lines
  }
}
