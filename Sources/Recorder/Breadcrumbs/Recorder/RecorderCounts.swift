internal import CRecorder

/// The numbers of crumbs that a recorder has recorded and lost.
package struct RecorderCounts: Sendable, Hashable {
  /// The number of recorded crumbs.
  package let crumbs: UInt64
  /// The number of crumbs that were lost for lack of space.
  package let dropped: UInt64
}

extension BreadcrumbRecorder {
  /// The counts so far. Crumbs of a thread that is just ending may be missing.
  package var counts: RecorderCounts {
    let counts = ms_log_counts_of(log)
    return RecorderCounts(crumbs: counts.crumbs, dropped: counts.dropped)
  }
}
