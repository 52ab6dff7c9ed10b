import IncidentModel

/// The gaps in a recording: an event that was not found in it may have happened in a gap.
package struct RecordingGaps: Hashable, Sendable, Codable {
  /// Bytes that could not be read, except a record that the death interrupted.
  package var unreadBytes: UInt64
  /// True if another process truncated the file during the run.
  package var isCutShort: Bool
  /// Crumbs that found no room.
  package var dropped: UInt64
  /// Crumbs that newer ones have overwritten: the log is shorter than its run.
  package var overwritten: UInt64
  /// The time from which no note, hop or UI work was overwritten, in nanoseconds since 1970; nil if none was,
  /// and in a summary of an earlier version.
  package var heldSince: UInt64?
  /// The program's modules whose frames have no names.
  package var unnamed: [String]

  private static let mostUnnamed = 100

  init(_ run: EndedRun) {
    let torn = run.source.unread.filter { $0.reason != .unfinished }
    unreadBytes = torn.reduce(0) { sum, part in
      let (larger, isBeyond) = sum.addingReportingOverflow(part.length)
      return isBeyond ? .max : larger
    }
    isCutShort = run.source.ending == .cutShort
    dropped = run.source.losses.droppedInAll
    overwritten = run.source.losses.recycledInAll
    heldSince = run.story.since(run.source)
    unnamed = Array(run.unnamedModules.prefix(Self.mostUnnamed))
  }

  /// Whether a part of the file is missing.
  package var isTorn: Bool { unreadBytes > 0 || isCutShort }
}
