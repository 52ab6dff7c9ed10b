internal import CRecorder

/// How much a recorder has recorded.
package struct RecorderCounts: Sendable, Hashable {
  /// The crumbs that were left.
  package let crumbs: UInt64
  /// Those for which there was no room.
  package let dropped: UInt64
}

extension BreadcrumbRecorder {
  /// How much it has recorded so far; a crumb or two may be missing while threads end.
  package var counts: RecorderCounts {
    let counts = ms_log_counts_of(log)
    return RecorderCounts(crumbs: counts.crumbs, dropped: counts.dropped)
  }
}
