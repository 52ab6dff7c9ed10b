/// The schedules that a storm runs, and the patience for each delivery.
struct StormSource: Sendable {
  enum Schedules: Sendable {
    case seed(UInt64, count: Int)
    case schedule(String)
  }

  let schedules: Schedules
  /// The patience in whole milliseconds, at most a day.
  let patience: Int

  init(_ schedules: Schedules, patience: Duration) {
    self.schedules = schedules
    self.patience = Int(min(patience, .seconds(86_400)) / .milliseconds(1))
  }
}
