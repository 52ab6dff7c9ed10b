import IncidentModel

/// The gaps in a recording. An event that is not in the log may have been in a gap.
package struct RecordingGaps: Hashable, Sendable, Codable {
  /// The number of unreadable bytes, except in a record that the death interrupted.
  package var unreadBytes: UInt64
  /// True if another process truncated the file during the run.
  package var isCutShort: Bool
  /// The number of crumbs that the recorder dropped for lack of space.
  package var dropped: UInt64
  /// The number of crumbs that newer crumbs have overwritten. If there are any, the log is shorter
  /// than its run.
  package var overwritten: UInt64
  /// The time from which no note, hop or UI work was overwritten, in nanoseconds since 1970; nil if
  /// all are present, and in a summary of an earlier version.
  package var heldSince: UInt64?
  /// The program's modules without symbols.
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

  /// True if a part of the file is missing.
  package var isTorn: Bool { unreadBytes > 0 || isCutShort }
}
