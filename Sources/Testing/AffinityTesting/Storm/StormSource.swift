/// The schedules that a storm runs, and how long one may take.
struct StormSource: Sendable {
  enum Schedules: Sendable {
    case seed(UInt64, count: Int)
    case schedule(String)
  }

  let schedules: Schedules
  /// In whole milliseconds, a day at most.
  let patience: Int

  init(_ schedules: Schedules, patience: Duration) {
    self.schedules = schedules
    self.patience = Int(min(patience, .seconds(86_400)) / .milliseconds(1))
  }
}
