internal import CBreadcrumbLog
internal import CQueueState
internal import LogWords

// The two crumbs of something that begins and ends, by the shortest way there is: their context is handed over, which
// need not be the task's, and the clock is read once for each.
extension BreadcrumbRecorder {
  /// Leaves a crumb where it begins, and returns when that was.
  package func begin(
    _ message: StaticString, category: StaticString, in context: CrumbContext
  ) -> UInt64 {
    let now = now
    if isShort {
      leave(message, category, context.encoded, at: now)
      withExtendedLifetime(context) {}
    } else {
      CrumbContext.$here.withValue(context) { record(message, category: category) }
    }
    return now
  }

  /// Leaves one where it has ended, with a number and how long it took. One end of a context, and not two at once.
  package func end(
    _ message: StaticString, category: StaticString, in context: CrumbContext, since begin: UInt64,
    _ key: StaticString, _ number: Int64
  ) {
    let now = now
    let took = ms_log_nanoseconds_between(log, begin, now)
    if isShort, let data = context.encoded(after: key, number, nanoseconds: took) {
      leave(message, category, data, at: now)
      return withExtendedLifetime(context) {}
    }
    CrumbContext.$here.withValue(context) {
      record(
        "\(message)", category: category,
        data: [
          "\(key)": .integer(number), LogKey.nanoseconds: .integer(Int64(clamping: took)),
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

  @inline(__always)
  private func leave(
    _ message: StaticString, _ category: StaticString, _ data: ms_crumb_context, at ticks: UInt64
  ) {
    let stamp = ms_queue_stamp_here()
    ms_log_note_at(
      log, ticks, shape(of: message, .info, category, flags: stamp.flags), data.bytes,
      ms_data_shape(size: data.size, count: UInt8(clamping: data.count)), category.start,
      message.start, stamp.serial, stamp.label)
  }
}
