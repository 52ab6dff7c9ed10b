import StatusModel
import Synchronization

/// A service that answers when a test says so: the world of a machine under test.
final class HeldService: StatusService {
  /// What it was asked, and who waits for the answer.
  enum Request: Sendable {
    case get(Answer)
    case save(KYSProfile, Answer)

    /// Answers in that way.
    func answer(_ outcome: Result<KYSProfile, StatusError>) {
      switch self {
      case .get(let answer), .save(_, let answer): answer(outcome)
      }
    }
  }

  private let waiting = Mutex<[Request]>([])

  /// What waits for an answer, the oldest first.
  var requests: [Request] { waiting.withLock { $0 } }

  func getStatus(completion: @escaping Answer) { waiting.withLock { $0.append(.get(completion)) } }

  func saveStatus(_ profile: KYSProfile, completion: @escaping Answer) {
    waiting.withLock { $0.append(.save(profile, completion)) }
  }

  /// Answers what has waited longest: with the profile, or with what was to be saved.
  ///
  /// - Returns: Whether anybody waited.
  @discardableResult
  func answer(_ profile: KYSProfile) -> Bool {
    let first = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    switch first {
    case .get(let answer): answer(.success(profile))
    case .save(let saved, let answer): answer(.success(saved))
    case nil: return false
    }
    return true
  }

  /// Answers what has waited longest with a failure.
  ///
  /// - Returns: Whether anybody waited.
  @discardableResult
  func fail(_ reason: String = "no network") -> Bool {
    let first = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    first?.answer(.failure(StatusError(reason)))
    return first != nil
  }
}

/// Remembers a postponement as long as the test runs.
final class HeldPostponement: PostponementKeeping {
  private let kept = Mutex<Postponement?>(nil)

  var postponement: Postponement? {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}
