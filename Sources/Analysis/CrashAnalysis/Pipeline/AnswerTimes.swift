import IncidentModel
import CLogFormat

/// The response times of a watched executor, minute by minute.
package struct AnswerTimes: Hashable, Sendable, Codable {
  /// The executor's name, for use within a sentence.
  package let executor: String
  /// The last minutes in which the executor answered beats, at most 60.
  package private(set) var minutes: [AnswerMinute]
  /// The minute with the slowest response.
  package private(set) var worst: AnswerMinute

  private static let most = 60

  fileprivate init(_ executor: String, _ minute: AnswerMinute) {
    self.executor = executor
    minutes = [minute]
    worst = minute
  }

  fileprivate mutating func add(_ minute: AnswerMinute) {
    if minute.slowest > worst.slowest { worst = minute }
    if minutes.count == Self.most { minutes.removeFirst() }
    minutes.append(minute)
  }

  /// The response times of all watched executors, in the order of their first record.
  struct All {
    private(set) var times: [AnswerTimes] = []

    /// The maximum number of executors, which bounds the memory for malformed logs; a watch has
    /// fewer.
    private static let most = 64

    static func areTold(by event: Event) -> Bool {
      event.kind == .note && event.categoryBytes.isEqual(to: MS_WORD_LATENCY)
        && event.integer(MS_KEY_BEATS) != nil
    }

    mutating func observe(_ event: Event) {
      guard let minute = AnswerMinute(wall: event.wall, { event[$0] }),
        let kind = event.text(MS_KEY_EXECUTOR).flatMap(WatchedKind.init)
      else { return }
      let executor = kind.words(event.text(MS_KEY_NAME) ?? "")
      if let place = times.firstIndex(where: { $0.executor == executor }) {
        times[place].add(minute)
      } else if times.count < Self.most {
        times.append(AnswerTimes(executor, minute))
      }
    }
  }
}
