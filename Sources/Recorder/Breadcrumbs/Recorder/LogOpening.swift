internal import CRecorder
import Glibc

/// The parameters of opening a log.
struct LogOpening {
  /// The path; nil for a log in memory.
  let path: String?
  let capacity: Int
  let keepingLast: Int
  let durability: LogDurability
  let release: String?
  let environment: String?

  func open() throws(RecordingError) -> OpaquePointer {
    ms_queue_start()
    ms_walk_start()
    ms_runtime_start()
    TaskPlaces.learn()
    guard path?.utf8.contains(0) != true else {
      let failure = ms_log_failure(
        result: MS_OPEN_CANNOT_CREATE, error_number: EINVAL, detail: 0)
      throw RecordingError(failure, path: path ?? "")
    }
    var failure = ms_log_failure()
    guard let log = open(&failure) else { throw RecordingError(failure, path: path ?? "memory") }
    return log
  }

  private func open(_ failure: inout ms_log_failure) -> OpaquePointer? {
    var options = ms_log_options()
    options.capacity = UInt64(max(capacity, 0))
    options.keep = UInt32(clamping: keepingLast)
    options.survives_machine = durability != .process
    return withCString(path) { path in
      withCString(release) { release in
        withCString(environment) { environment in
          options.path = path
          options.release = release
          options.environment = environment
          return ms_log_open(&options, &failure)
        }
      }
    }
  }
}

private func withCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}
