import IncidentModel
import CLogFormat

/// How long something watched took to answer, minute by minute.
package struct AnswerTimes: Hashable, Sendable, Codable {
  /// The executor that answered, inside a sentence.
  package let executor: String
  /// The last minutes in which it was asked, an hour at most.
  package private(set) var minutes: [AnswerMinute]
  /// The one with the slowest answer of all.
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

  /// Of all that is watched, in the order in which they were first heard of.
  struct All {
    private(set) var times: [AnswerTimes] = []

    /// A log may be anything; a watch has room for fewer.
    private static let most = 64

    static func areTold(by event: Event) -> Bool {
      event.kind == .note && event.categoryBytes.isEqual(to: MS_WORD_LATENCY)
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
