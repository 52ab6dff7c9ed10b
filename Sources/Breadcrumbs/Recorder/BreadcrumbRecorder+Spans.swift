internal import CBreadcrumbLog
internal import CQueueState
internal import LogWords

// The two crumbs of something that begins and ends, by the shortest way there is: their texts are ready, their context is
// at hand, and the clock is read once for each.
extension BreadcrumbRecorder {
  /// Leaves a crumb where it begins, and returns when that was.
  package func begin(_ note: ReadyNote, in context: HeldContext) -> UInt64 {
    if isShort { return leave(note, context, since: 0, status: 0) }
    let now = now
    record(note.message, category: note.category)
    return now
  }

  /// Leaves one where it has ended, with its status and how long it took. One end of a context, and not two at once.
  package func end(_ note: ReadyNote, in context: HeldContext, since begin: UInt64, status: Int) {
    if isShort {
      _ = leave(note, context, since: begin, status: status)
    } else {
      record(
        note.message.text, category: note.category,
        data: [
          LogKey.status: .integer(Int64(status)),
          LogKey.nanoseconds: .integer(nanoseconds(since: begin)),
        ])
    }
  }

  /// The log's clock.
  package var now: UInt64 { ms_log_now(log) }

  /// How long ago that was by the log's clock.
  package func nanoseconds(since begin: UInt64) -> Int64 {
    Int64(clamping: ms_log_nanoseconds_between(log, begin, now))
  }

  /// Nobody is shown the crumb, or adds to it.
  private var isShort: Bool { redact == nil && !CrumbSource.isAsked }

  @inline(never)
  private func leave(_ note: ReadyNote, _ context: HeldContext, since: UInt64, status: Int)
    -> UInt64
  {
    let stamp = ms_queue_stamp_here()
    return context.withValues {
      ms_log_note_ready(
        log, note.laidOut, $0, since, Int64(status), stamp.flags, stamp.serial, stamp.label)
    }
  }
}
