import Glibc
import IncidentModel
import Synchronization

/// The time of a program's build, to detect source files that were modified later: their lines may
/// not be the lines that ran.
///
/// Debug information of swiftc has no checksums of source files, so that only times can be compared.
final class BuildTime: Sendable {
  /// The build of the program whose run is being analyzed; nil to accept every source file.
  @TaskLocal static var current: BuildTime?

  /// Nanoseconds since 1970; the maximum if the time is unknown.
  private let latest: UInt64
  private let state = Mutex<Set<String>>([])

  /// Creates the build time of a run's program: the time of its newest file, but no later than the
  /// start of the run, because a file may have been replaced since, unless the run kept a copy. If a
  /// file is missing, only the start is known. A report of another tool may know only the time of the crash, or no time but
  /// that of its own file.
  init(of source: some EventSource, input: String) {
    let files = source.modules.prefix(Self.mostFiles).map(\.module)
      .filter { $0.path.hasPrefix("/") && !$0.isOfTheSystem }
    let times = files.map { Self.modified($0.keptCopy ?? $0.path) }
    let program = times.contains(nil) ? nil : times.compactMap { $0 }.max()
    let begun = [source.process?.openedWall, source.crash?.wall].compactMap { $0 }.first { $0 > 0 }
    latest = [program, begun ?? Self.modified(input)].compactMap { $0 }.min() ?? .max
  }

  /// The files that were newer than the build.
  var changed: Set<String> { state.withLock { $0 } }

  /// Returns true if a source file is not newer than the build.
  func covers(_ path: String, modified: UInt64) -> Bool {
    if modified <= latest { return true }
    state.withLock { _ = $0.insert(path) }
    return false
  }

  /// The maximum number of files that are examined: a log may name any number.
  private static let mostFiles = 256

  private static func modified(_ path: String) -> UInt64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return nanoseconds(status.st_mtim)
  }

  /// The time in nanoseconds since 1970; 0 for an earlier time.
  static func nanoseconds(_ time: timespec) -> UInt64 {
    UInt64(clamping: time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
      &+ UInt64(clamping: time.tv_nsec)
  }
}
