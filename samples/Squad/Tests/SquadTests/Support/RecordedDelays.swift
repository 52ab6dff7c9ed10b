import Dispatch
import Synchronization

@testable import Squad

/// A scheduler for which no time passes: it notes how long it was to wait.
final class RecordedDelays: Sendable {
  private let noted = Mutex<[Duration]>([])

  var delays: [Duration] { noted.withLock { $0 } }

  var scheduler: Scheduler {
    Scheduler { delay, work in
      self.noted.withLock { $0.append(delay) }
      DispatchQueue.global().async(execute: work)
    }
  }
}
