import Foundation

/// The order of a child, passed in its environment.
struct ChildOrder: Codable, Sendable {
  enum Task: Codable, Sendable {
    /// Run a body, and wait the given milliseconds for the work that it has begun.
    case run(isAsync: Bool, waiting: Int)
    /// Say what a storm's scenario offers.
    case describe
    /// Play a schedule, with the time in milliseconds after which a delivery counts as stuck, the number of
    /// schedules played before, the number of repetitions, and the maximum number of failures.
    case play(String, patience: Int, number: UInt64, times: PlayCount, upTo: Int)
    /// Play an order of tasks, in which one that waits for so many milliseconds counts as lost.
    case playTasks(String, patience: Int)
  }

  let task: Task
  let code: CodeAddress
  /// The directory of the log and the answers of the child.
  let directory: String

  var log: String { "\(directory)/breadcrumbs.log" }
  var answer: String { "\(directory)/answer.json" }
  var progress: String { "\(directory)/progress" }
}
