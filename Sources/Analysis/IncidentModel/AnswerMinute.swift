import CLogFormat

/// The response times of one watched executor during one minute.
package struct AnswerMinute: Hashable, Sendable, Codable {
  /// The end of the minute, in nanoseconds since 1970.
  package var wall: UInt64
  /// The number of answered beats.
  package var beats: Int64
  /// The median response time, in microseconds.
  package var median: Int64
  /// The 99th percentile of the response times, in microseconds.
  package var nearlyAll: Int64
  /// The longest response time, in microseconds.
  package var slowest: Int64

  /// Reads a crumb of the category `latency`; nil if it has no valid numbers.
  package init?(wall: UInt64, _ value: (_ key: String) -> CrumbValue?) {
    let numbers = [MS_KEY_BEATS, MS_KEY_MEDIAN, MS_KEY_NEARLY_ALL, MS_KEY_SLOWEST].compactMap {
      key -> Int64? in
      if case .integer(let number)? = value(key), number >= 0 { return number }
      return nil
    }
    guard numbers.count == 4 else { return nil }
    self.wall = wall
    beats = numbers[0]
    median = numbers[1]
    nearlyAll = numbers[2]
    slowest = numbers[3]
  }

  /// True if a response took at least 50 ms, which a user notices.
  package var isLate: Bool { slowest >= 50_000 }
}

extension WatchedKind {
  /// The name of the executor inside a sentence.
  package func words(_ name: String) -> String {
    switch self {
    case .mainQueue: "the main queue"
    case .pool: "the cooperative pool (\(name))"
    case .queue: "queue \(name)"
    case .actor: "actor \(name)"
    case .loop: "event loop “\(name)”"
    }
  }
}
