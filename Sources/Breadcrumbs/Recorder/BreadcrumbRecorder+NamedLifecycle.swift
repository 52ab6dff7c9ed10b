internal import CBreadcrumbLog
internal import CStackWalk

extension BreadcrumbRecorder {
  /// Leaves a lifecycle crumb whose name is known at run time only.
  @inline(never)
  package func recordLifecycle(named name: String) {
    guard let text = redacted(CrumbText(message: name, data: []), .notice, "lifecycle"),
      let bracket = ms_log_enter(log, MS_KIND_LIFECYCLE)
    else { return }
    var end = MS_WALK_COMPLETE
    let frames = ms_walk_here(ms_log_frames(bracket), stackDepth, 1, &end)
    append(
      bracket, text, .notice, "lifecycle", kind: UInt8(MS_KIND_LIFECYCLE.rawValue),
      frames: frames, end: end)
    ms_log_leave(bracket)
  }
}
