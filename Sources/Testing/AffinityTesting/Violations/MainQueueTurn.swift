import Dispatch
import Synchronization

/// A turn of the main queue.
enum MainQueueTurn {
  /// How long the main queue has for it.
  static let patience = DispatchTimeInterval.seconds(60)

  /// What is said where it does not come.
  static let loss =
    "the main queue did not answer: what was sent to it has not run within \(patience.text)"

  /// Waits until all that is on the main queue by now has run; false where it is blocked for good.
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

/// Resumes a continuation with what comes first.
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
