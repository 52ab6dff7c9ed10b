internal import CBreadcrumbLog
internal import CQueueState
internal import CStackWalk

// Each public function here captures the stack by itself, in its own frame, and is never inlined:
// the frame above it is then the caller's in every build, and one frame is left out of each stack.
extension BreadcrumbRecorder {
  /// Leaves a breadcrumb with a fixed message: the fastest way.
  ///
  /// From a signal handler of your own: allowed without `stack:`, below `.error`, on a thread that
  /// has left a crumb before, in a recorder without a redaction hook.
  ///
  /// - Parameters:
  ///   - message: What happened.
  ///   - level: How much it matters.
  ///   - category: Where it belongs; at most 64 bytes are kept.
  ///   - stack: Whether the crumb carries the caller's stack.
  @inline(never)
  public func record(
    _ message: StaticString, level: CrumbLevel = .info, category: StaticString = "",
    stack: StackCapture = .automatic
  ) {
    let kind = level.kind
    let walks = stack.walks(for: kind)
    if !walks && redact == nil && message.hasPointerRepresentation {
      let stamp = ms_queue_stamp_here()
      let shape = ms_note_shape(
        message_size: UInt32(truncatingIfNeeded: message.utf8CodeUnitCount),
        category_size: category.crumbSize, kind: kind, level: level.rawValue,
        flags: stamp.flags)
      ms_log_note(log, shape, category.start, message.start, stamp.serial, stamp.label)
      return
    }
    let draft = redacted(message.text, level, category, [:])
    guard let bracket = ms_log_enter(log, ms_kind(UInt32(kind))) else { return }
    var end = MS_WALK_COMPLETE
    let frames = walks ? ms_walk_here(ms_log_frames(bracket), stackDepth, 1, &end) : 0
    append(bracket, draft, level, category, kind: kind, frames: frames, end: end)
    ms_log_leave(bracket)
  }

  /// Leaves a breadcrumb with data, or with a message made at run time.
  ///
  /// - Parameters:
  ///   - message: What happened; at most 1,024 bytes are kept. Not evaluated once recording has
  ///     stopped.
  ///   - level: How much it matters.
  ///   - category: Where it belongs; at most 64 bytes are kept.
  ///   - data: Keys and values; at most 1,024 bytes of them are kept.
  ///   - stack: Whether the crumb carries the caller's stack.
  @inline(never)
  @_disfavoredOverload
  public func record(
    _ message: @autoclosure () -> String, level: CrumbLevel = .info, category: StaticString = "",
    data: KeyValuePairs<String, CrumbValue> = [:], stack: StackCapture = .automatic
  ) {
    guard ms_log_is_recording(log) else { return }
    let kind = level.kind
    let draft = redacted(message(), level, category, data)
    guard let bracket = ms_log_enter(log, ms_kind(UInt32(kind))) else { return }
    var end = MS_WALK_COMPLETE
    let walks = stack.walks(for: kind)
    let frames = walks ? ms_walk_here(ms_log_frames(bracket), stackDepth, 1, &end) : 0
    append(bracket, draft, level, category, kind: kind, frames: frames, end: end)
    ms_log_leave(bracket)
  }

  /// Leaves a breadcrumb about the process's life. These are kept apart: no other crumb ever pushes
  /// one out of the log.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - data: Keys and values to go with it.
  ///   - stack: Whether the crumb carries the caller's stack; it does unless told otherwise.
  @inline(never)
  public func recordLifecycle(
    _ event: LifecycleEvent, data: KeyValuePairs<String, CrumbValue> = [:],
    stack: StackCapture = .automatic
  ) {
    let kind = UInt8(MS_KIND_LIFECYCLE.rawValue)
    let draft = redacted(event.name.text, .notice, "lifecycle", data)
    guard let bracket = ms_log_enter(log, MS_KIND_LIFECYCLE) else { return }
    var end = MS_WALK_COMPLETE
    let walks = stack.walks(for: kind)
    let frames = walks ? ms_walk_here(ms_log_frames(bracket), stackDepth, 1, &end) : 0
    append(bracket, draft, .notice, "lifecycle", kind: kind, frames: frames, end: end)
    ms_log_leave(bracket)
  }
}

extension CrumbLevel {
  /// Errors are a kind of their own, so that nothing else pushes them out.
  var kind: UInt8 { UInt8((self < .error ? MS_KIND_NOTE : MS_KIND_ERROR).rawValue) }
}

extension StackCapture {
  func walks(for kind: UInt8) -> Bool {
    switch self {
    case .capture: true
    case .none: false
    case .automatic: ms_pool_of_kind(ms_kind(UInt32(kind))) != MS_POOL_CHATTER
    }
  }
}

extension StaticString {
  var start: UnsafeRawPointer { UnsafeRawPointer(utf8Start) }
  var crumbSize: UInt8 { UInt8(clamping: utf8CodeUnitCount) }
  var text: String { "\(self)" }
}

extension ms_queue_stamp {
  var flags: UInt8 {
    if onMain { return UInt8(MS_CRUMB_ON_MAIN.rawValue) }
    return ms_queue_reads_directly() ? 0 : UInt8(MS_CRUMB_MAIN_UNKNOWN.rawValue)
  }
}
