import Breadcrumbs

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The configuration of the requested recorder.
struct RecorderConfiguration {
  let path: String
  let release: String?
  let environment: String?
  let capacity: Int
  let keepingLast: Int
  let durability: LogDurability
  let automatic: AutomaticEvents
  let redact: (@Sendable (inout CrumbDraft) -> Void)?

  func recorder(at path: String) throws(RecordingError) -> BreadcrumbRecorder {
    try BreadcrumbRecorder(
      path: path, capacity: capacity, keepingLast: keepingLast, durability: durability,
      automatic: automatic, release: release, environment: environment, redact: redact)
  }

  func recorder(inMemory capacity: Int) -> BreadcrumbRecorder {
    BreadcrumbRecorder(
      inMemory: capacity, release: release, environment: environment, automatic: automatic,
      redact: redact)
  }

  /// Opens a log next to a log that another process writes: `breadcrumbs-2.log`, or the next free number.
  /// Numbers are reused, and each log keeps the same number of earlier logs, so that a service restarted for
  /// years does not fill the disk.
  func recorderBeside() -> BreadcrumbRecorder? {
    for number in 2...9 {
      do {
        return try recorder(at: path(numbered: number))
      } catch {
        if error.code != .inUse { return nil }
      }
    }
    return nil
  }

  /// Inserts a number before the extension: `breadcrumbs.log` becomes `breadcrumbs-2.log`.
  private func path(numbered number: Int) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "\(path)-\(number)"
    }
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }
}

/// The value of an environment variable; nil if it is not set or empty.
func variable(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
