import Dispatch
import Synchronization

/// Waits for the main queue, with a time limit.
enum MainQueueTurn {
  /// The time after which the main queue counts as blocked.
  static let patience = DispatchTimeInterval.seconds(60)

  /// The message if the main queue does not respond.
  static let loss =
    "the main queue did not answer: work sent to the queue has not run within \(patience.text)"

  /// Waits until all blocks that are now on the main queue have run. Returns false if the queue is
  /// blocked.
  static func comes() async -> Bool {
    let deadline = DispatchSource.makeTimerSource(queue: .global())
    defer { deadline.cancel() }
    return await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      deadline.schedule(deadline: .now() + patience)
      deadline.setEventHandler { answer.give(false) }
      deadline.activate()
      DispatchQueue.main.async { answer.give(true) }
    }
  }
}

/// Resumes a continuation with the first of several answers.
private final class FirstAnswer: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Mutex(continuation)
  }

  func give(_ answer: Bool) {
    let continuation = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume(returning: answer)
  }
}
