import IncidentModel

/// What a summary keeps of one recording, however long it was.
package struct RecordingSummary: Hashable, Sendable, Codable {
  /// How far the recording had come when it was read: of two summaries of one recording, the
  /// further one counts.
  package struct Extent: Hashable, Sendable, Codable, Comparable {
    /// The last event's time on the monotonic clock.
    package var monotonic: UInt64
    package var hasEnded: Bool
    package var events: Int

    package static func < (left: Extent, right: Extent) -> Bool {
      (left.monotonic, left.hasEnded ? 1 : 0, left.events)
        < (right.monotonic, right.hasEnded ? 1 : 0, right.events)
    }
  }

  package var extent: Extent
  package var input: String
  package var format: String
  package var executable: String
  package var process: Int
  /// Which build it was and where it ran, if it said so.
  package var release: String?
  package var environment: String?
  /// The machine that it ran on, as whoever summarized it said: a log itself does not tell.
  package var host: String?
  /// Nanoseconds since 1970.
  package var opened: UInt64
  package var lastSeen: UInt64
  package var ending: RunEnding
  /// How it ended, in words; nil in a summary that an earlier version wrote.
  package var manner: String?
  /// The crash in a line; empty without one.
  package var crash: String
  /// Whom a report is about: the thread that failed, its queue, what was said.
  package var thread: Finding.ThreadName?
  package var queue: String?
  package var subject: String?
  package var unread: [String]
  /// How long what was watched took to answer; nil in a summary that an earlier version wrote.
  package var answers: [AnswerTimes]?
  /// How often each finding occurred, by its fingerprint.
  package var counts: [String: Int]
  /// From when to when each finding occurred, by its fingerprint; nil in a summary that an earlier version wrote.
  package var spans: [String: WallSpan]?
  /// What it died of; nil where it did not, and in a summary that an earlier version wrote.
  package var death: DeathDescription?
  /// What the recording lacks; nil in a summary that an earlier version wrote.
  package var gaps: RecordingGaps?
}
