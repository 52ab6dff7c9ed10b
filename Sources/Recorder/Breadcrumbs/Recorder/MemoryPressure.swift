internal import CRecorder

/// A watch for lack of memory, which stops at the deallocation of this object.
final class MemoryPressure: Sendable {
  // Freed only by `deinit`; the C code uses a separate thread.
  nonisolated(unsafe) private let watch: OpaquePointer

  /// Watches the given files, by default those of this process's cgroup. Returns nil if none
  /// can be watched.
  init?(log: OpaquePointer, stall: String? = nil, events: String? = nil) {
    var files = ms_pressure_find_files()
    let begin = { (files: inout ms_pressure_files) in ms_pressure_begin(log, &files) }
    let watch: OpaquePointer?
    if stall == nil && events == nil {
      watch = begin(&files)
    } else {
      watch = withOptionalCString(stall) { stall in
        withOptionalCString(events) { events in
          files.stall = stall
          files.events = events
          return begin(&files)
        }
      }
    }
    guard let watch else { return nil }
    self.watch = watch
  }

  deinit { ms_pressure_end(watch) }
}

private func withOptionalCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}
