internal import CRecorder
import Glibc

/// The ending of the previous run, according to the header of its log.
///
/// Only the header is read, so that a service can log or count the ending at its start. `crashscan`
/// reads the whole log.
public struct PreviousRun: Sendable, Hashable {
  /// The ways in which a run can end.
  public enum Ending: Sendable, Hashable {
    /// The run closed its log or exited normally.
    case clean
    /// The run crashed with this signal.
    case crash(signal: Int32)
    /// A fault was forwarded to a handler that the program has for this signal in particular, and
    /// nothing was recorded afterwards: the handler may have ended the process, or the process
    /// recovered and was later killed or left by `_exit`.
    case faultHandled(signal: Int32)
    /// The process received this signal as a request to terminate, and did not exit normally.
    case terminated(signal: Int32)
    /// The process was killed while its main queue did not answer.
    case killedInHang
    /// The process was killed, and no more is known.
    case killed
    /// The kernel killed the process because memory ran out.
    case outOfMemory
    /// The machine was restarted during the run.
    case reboot
    /// The log was truncated by another process, so no more is known.
    case logCutShort
  }

  /// The certainty of the ending.
  public enum Certainty: Sendable, Hashable {
    case probable, certain
  }

  /// The ending of the run.
  public let ending: Ending
  /// The certainty of the ending. A reboot is only probable, as is an out-of-memory kill that may
  /// have hit another process of the cgroup.
  public let certainty: Certainty
  /// The process id of the run.
  public let process: Int32
  /// The time at which the run opened its log.
  public let openedSecondsSince1970: Double

  let salt: UInt64
  /// The ending as a header stores it.
  let told: UInt64

  /// Reads the log of the previous run at `path`, or the first kept log if a recorder is already
  /// open at `path`.
  ///
  /// - Returns: Nil if no readable log exists.
  public init?(path: String) {
    let found = EndedLog(path: path) ?? EndedLog(path: Self.firstKept(path))
    guard let log = found else { return nil }
    self.init(log)
  }

  /// Reads the log at `path` only.
  init?(replacing path: String) {
    guard let log = EndedLog(path: path) else { return nil }
    self.init(log)
  }

  private init(_ log: EndedLog) {
    let found = log.ending
    ending = Ending(found)
    certainty = found.certainty == MS_PROBABLE ? .probable : .certain
    process = Int32(bitPattern: log.identity.process)
    openedSecondsSince1970 = Double(log.identity.opened.wall_ns) / 1e9
    salt = log.identity.salt
    told = ms_told_word(found)
  }

  /// Returns the path of the first kept log: breadcrumbs.log is kept as breadcrumbs.1.log.
  private static func firstKept(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + ".1" }
    return "\(path[..<dot]).1\(path[dot...])"
  }
}

extension PreviousRun.Ending {
  fileprivate init(_ found: ms_run_ending) {
    self =
      switch found.end {
      case MS_RUN_CLEAN: .clean
      case MS_RUN_CRASHED where found.certainty == MS_POSSIBLE: .faultHandled(signal: found.signal)
      case MS_RUN_CRASHED: .crash(signal: found.signal)
      case MS_RUN_TERMINATED: .terminated(signal: found.signal)
      case MS_RUN_KILLED_IN_HANG: .killedInHang
      case MS_RUN_OUT_OF_MEMORY: .outOfMemory
      case MS_RUN_REBOOT: .reboot
      case MS_RUN_CUT_SHORT: .logCutShort
      default: .killed
      }
  }

  var signal: Int32? {
    switch self {
    case .crash(let signal), .faultHandled(let signal), .terminated(let signal): signal
    default: nil
    }
  }

  /// The verb phrase of the next run's crumb.
  var words: String {
    switch self {
    case .clean: "exited normally"
    case .crash: "crashed"
    case .faultHandled: "handled a fault in its own handler, and recorded nothing afterwards"
    case .terminated: "was shut down on request"
    case .killedInHang: "was killed during a hang"
    case .killed: "was killed"
    case .outOfMemory: "was killed for lack of memory"
    case .reboot: "ended when the machine restarted"
    case .logCutShort: "had its log truncated"
    }
  }
}

/// The header of a log whose writer has ended.
private struct EndedLog {
  let identity: ms_log_identity
  private let progress: ms_log_progress
  private let lastWords: ms_last_words

  // The size of the identity, rounded up to whole cache lines.
  private static let progressOffset = (MemoryLayout<ms_log_identity>.size + 63) & ~63

  init?(path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    guard flock(file, LOCK_SH | LOCK_NB) == 0,
      var identity = load(ms_log_identity.self, file, at: 0),
      identity.magic == MS_LOG_MAGIC, identity.sum == ms_identity_sum(&identity),
      let progress = load(ms_log_progress.self, file, at: Self.progressOffset),
      let lastWords = load(ms_last_words.self, file, at: Int(MS_LAST_WORDS_OFFSET))
    else { return nil }
    self.identity = identity
    self.progress = progress
    self.lastWords = lastWords
  }

  var ending: ms_run_ending {
    var (identity, progress, words) = (identity, progress, lastWords)
    let facts = ms_is_of_another_boot(&identity) ? MS_RUN_OF_ANOTHER_BOOT.rawValue : 0
    let own = ms_run_ending_of(&identity, &progress, &words, facts)
    return ms_run_ending_seen_from(own, &words, ms_oom_look())
  }
}

private func load<T: BitwiseCopyable>(_ type: T.Type, _ file: Int32, at offset: Int) -> T? {
  withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { room in
    let bytes = UnsafeMutableRawBufferPointer(room)
    return pread(file, bytes.baseAddress, bytes.count, off_t(offset)) == bytes.count
      ? bytes.load(as: T.self) : nil
  }
}
