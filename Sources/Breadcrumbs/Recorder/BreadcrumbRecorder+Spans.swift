internal import CBreadcrumbLog
internal import CStackWalk
internal import LogWords

// The two crumbs of something that begins and ends, by the shortest way there is: their context is handed over, which
// need not be the task's, and the clock is read once for each.
extension BreadcrumbRecorder {
  /// Leaves a crumb where it begins, and returns when that was.
  package func begin(
    _ message: StaticString, category: StaticString, in context: CrumbContext
  ) -> UInt64 {
    let now = now
    guard redact == nil else {
      CrumbContext.$here.withValue(context) { record(message, category: category) }
      return now
    }
    leave(message, category, in: context, at: now) { _ in }
    return now
  }

  /// Leaves one where it has ended, with a number and how long it took.
  package func end(
    _ message: StaticString, category: StaticString, in context: CrumbContext, since begin: UInt64,
    _ key: String, _ number: Int64
  ) {
    let now = now
    let took = Int64(clamping: ms_log_nanoseconds_between(log, begin, now))
    guard redact == nil else {
      return CrumbContext.$here.withValue(context) {
        record(
          "\(message)", category: category,
          data: [key: .integer(number), LogKey.nanoseconds: .integer(took)])
      }
    }
    leave(message, category, in: context, at: now) { encoder in
      encoder.add(key, .integer(number))
      encoder.add(LogKey.nanoseconds, .integer(took))
    }
  }

  /// The log's clock.
  package var now: UInt64 { ms_log_now(log) }

  /// How long ago that was by the log's clock.
  package func nanoseconds(since begin: UInt64) -> Int64 {
    Int64(clamping: ms_log_nanoseconds_between(log, begin, now))
  }

  @inline(__always)
  private func leave(
    _ message: StaticString, _ category: StaticString, in context: CrumbContext, at ticks: UInt64,
    add: (inout DataEncoder) -> Void
  ) {
    let bracket = ms_log_enter_for_data(log, MS_KIND_NOTE)
    guard let thread = bracket.thread else { return }
    var encoder = DataEncoder(bytes: bracket.data)
    add(&encoder)
    encoder.addContext(context.encoded)
    var crumb = shape(
      thread, kind: UInt8(MS_KIND_NOTE.rawValue), .info, frames: 0, end: MS_WALK_COMPLETE)
    crumb.ticks = ticks
    encoder.finish(&crumb)
    append(thread, &crumb, category, message.start, message.utf8CodeUnitCount)
    ms_log_leave(thread)
  }
}
