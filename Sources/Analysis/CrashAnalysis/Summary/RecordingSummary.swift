import IncidentModel

/// The summary of one recording, independent of its length.
package struct RecordingSummary: Hashable, Sendable, Codable {
  /// The extent to which a recording was read. Of two summaries of one recording, the one that
  /// covers more counts.
  package struct Extent: Hashable, Sendable, Codable, Comparable {
    /// The time of the last event on the monotonic clock.
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
  /// The release and environment, if the process set them.
  package var release: String?
  package var environment: String?
  /// The host of the recording, as given when the summary was created: a log does not contain its
  /// host.
  package var host: String?
  /// The start of the recording, in nanoseconds since 1970.
  package var opened: UInt64
  package var lastSeen: UInt64
  package var ending: RunEnding
  /// A description of the ending; nil in a summary of an earlier version.
  package var manner: String?
  /// A one-line description of the crash; empty without one.
  package var crash: String
  /// The subject of a report: the failed thread, its queue and its message.
  package var thread: Finding.ThreadName?
  package var queue: String?
  package var subject: String?
  package var unread: [String]
  /// The response times of watched executors; nil in a summary of an earlier version.
  package var answers: [AnswerTimes]?
  /// The number of occurrences of each finding, by fingerprint.
  package var counts: [String: Int]
  /// The first and last occurrence of each finding, by fingerprint; nil in a summary of an earlier
  /// version.
  package var spans: [String: WallSpan]?
  /// The cause of death; nil if the process did not die, and in a summary of an earlier version.
  package var death: DeathDescription?
  /// The gaps of the recording; nil in a summary of an earlier version.
  package var gaps: RecordingGaps?
  /// The features of the recorder that were off; nil in a summary of an earlier version.
  package var missingFeatures: [String]?
  /// The address in the signal of the crash; nil without one, and in a summary of an earlier version.
  package var faultAddress: UInt64?
  /// The inputs that contain another tool's report on the crash of this log; nil without such inputs.
  package var sameCrash: [String]?
}
