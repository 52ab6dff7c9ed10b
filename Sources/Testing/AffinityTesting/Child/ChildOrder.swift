import Foundation

/// The order to a child process, passed in its environment.
struct ChildOrder: Codable, Sendable {
  enum Task: Codable, Sendable {
    /// Runs a body, and waits the given number of milliseconds for work that the body started.
    case run(isAsync: Bool, waiting: Int)
    /// Reports the steps that a storm's scenario offers.
    case describe
    /// Plays a schedule. `patience` is the time in milliseconds after which a delivery counts as
    /// stuck, `number` the number of earlier plays, `times` the number of repetitions, `upTo` the
    /// maximum number of failures.
    case play(String, patience: Int, number: UInt64, times: PlayCount, upTo: Int)
    /// Plays a task schedule. A task that waits for `patience` milliseconds counts as lost.
    case playTasks(String, patience: Int)
  }

  let task: Task
  let code: CodeAddress
  /// The directory with the child's log and answers.
  let directory: String

  var log: String { "\(directory)/breadcrumbs.log" }
  var answer: String { "\(directory)/answer.json" }
  var progress: String { "\(directory)/progress" }
}
