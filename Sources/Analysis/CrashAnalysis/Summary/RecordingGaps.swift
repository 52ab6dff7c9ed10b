import IncidentModel

/// What a recording lacks, so that what was not found in it may have happened all the same.
package struct RecordingGaps: Hashable, Sendable, Codable {
  /// Bytes that could not be read; what a death interrupted is none.
  package var unreadBytes: UInt64
  /// Whether somebody cut the file short while it was written.
  package var isCutShort: Bool
  /// Crumbs that found no room.
  package var dropped: UInt64
  /// Crumbs that newer ones have overwritten: the log is shorter than its run.
  package var overwritten: UInt64
  /// From when on no note, hop or UI work was overwritten, in nanoseconds since 1970; nil where none was, and in a
  /// summary that an earlier version wrote.
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
