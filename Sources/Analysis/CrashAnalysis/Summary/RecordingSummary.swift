import IncidentModel

/// The summary of one recording, independent of its length.
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
  /// The build and the environment, if the process set them.
  package var release: String?
  package var environment: String?
  /// The host of the recording, as given when it was summarized: a log does not contain its host.
  package var host: String?
  /// Nanoseconds since 1970.
  package var opened: UInt64
  package var lastSeen: UInt64
  package var ending: RunEnding
  /// How it ended, in words; nil in a summary that an earlier version wrote.
  package var manner: String?
  /// The crash in a line; empty without one.
  package var crash: String
  /// The subject of a report: the thread that failed, its queue, its message.
  package var thread: Finding.ThreadName?
  package var queue: String?
  package var subject: String?
  package var unread: [String]
  /// The response times of watched executors; nil in a summary of an earlier version.
  package var answers: [AnswerTimes]?
  /// How often each finding occurred, by its fingerprint.
  package var counts: [String: Int]
  /// From when to when each finding occurred, by its fingerprint; nil in a summary that an earlier version wrote.
  package var spans: [String: WallSpan]?
  /// The cause of death; nil if it did not die, and in a summary of an earlier version.
  package var death: DeathDescription?
  /// The gaps of the recording; nil in a summary of an earlier version.
  package var gaps: RecordingGaps?
}
