internal import CBreadcrumbLog
internal import CQueueState
internal import LogWords

// The two crumbs of something that begins and ends, by the shortest way there is: their texts are ready, their context is
// at hand, and the clock is read once for each.
extension BreadcrumbRecorder {
  /// Leaves a crumb where it begins, and gives all crumbs the context's values until its end.
  package func begin(_ note: ReadyNote, in context: CrumbContext) -> HeldContext {
    begin(note, context.hold())
  }

  /// The same with other bytes in the place of its last: nothing is copied but where there are other values already.
  package func begin(
    _ note: ReadyNote, in context: LastingContext, endingIn last: (UInt64, UInt64)
  ) -> HeldContext {
    guard let held = context.hold(endingIn: last) else {
      return begin(note, in: CrumbContext(adding: context, endingIn: last))
    }
    return begin(note, held)
  }

  @inline(__always)
  private func begin(_ note: ReadyNote, _ held: HeldContext) -> HeldContext {
    var held = held
    if isShort {
      held.since = leave(note, held, status: 0)
    } else {
      held.since = now
      record(note.message, category: note.category)
    }
    return held
  }

  /// Leaves one where it has ended, with its status and how long it took, and takes the values back.
  package func end(_ note: ReadyNote, of held: HeldContext, status: Int) {
    if isShort {
      _ = leave(note, held, status: status)
    } else {
      record(
        note.message.text, category: note.category,
        data: [
          LogKey.status: .integer(Int64(status)),
          LogKey.nanoseconds: .integer(nanoseconds(since: held.since)),
        ])
    }
    held.letGo()
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
  private func leave(_ note: ReadyNote, _ held: HeldContext, status: Int) -> UInt64 {
    let stamp = ms_queue_stamp_here()
    return withUnsafePointer(to: held.encoded) {
      ms_log_note_ready(
        log, note.laidOut, $0, held.since, Int64(status), stamp.flags, stamp.serial, stamp.label)
    }
  }
}
