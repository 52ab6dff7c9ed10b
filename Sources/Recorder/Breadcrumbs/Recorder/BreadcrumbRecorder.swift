internal import CRecorder
import Glibc
import Synchronization
internal import ThreadAffinity

/// Records breadcrumbs in a log that survives the process, whatever the cause of its death.
///
/// A process needs one recorder: open it early and keep it. Its functions may be called from any
/// thread; none of them throws, blocks or ends the process.
public final class BreadcrumbRecorder: Sendable {
  /// The default capacity of a log: 8 MiB.
  public static let defaultCapacity = 8 << 20

  /// The path of the log, with `{pid}` replaced; empty if the recorder records in memory.
  public let path: String

  // Freed with the last reference to the recorder; the C code is safe to use from any thread.
  nonisolated(unsafe) package let log: OpaquePointer
  /// The ending of the previous run; nil if its log was not found at this path.
  public let previousRun: PreviousRun?
  let stackDepth: UInt32
  let hopStacks: Bool
  let redact: (@Sendable (inout CrumbDraft) -> Void)?
  let timers: RecorderTimers
  let pressure: Mutex<MemoryPressure?>
  let tasks = Atomic<UInt64>(0)

  /// Opens a log for this process. A log of an earlier run is kept next to it, as
  /// `breadcrumbs.1.log` and so on. With `MAINSTAY=off` in the environment, no file is opened and
  /// crumbs are ignored.
  ///
  /// - Parameters:
  ///   - path: The path of the log; `{pid}` in the path is replaced by the process id.
  ///   - capacity: The size of the file, which never changes; at least 256 KiB.
  ///   - keepingLast: The number of earlier logs to keep.
  ///   - durability: The failures that crumbs survive: death of the process, or of the machine.
  ///   - stackDepth: The maximum number of frames of a stack, up to 128.
  ///   - automatic: The events that are recorded automatically.
  ///   - release: The build of the service, such as `1.4.2`, for the log's header and every report.
  ///     At most 127 bytes are kept.
  ///   - environment: The environment of the service, such as `production`. At most 63 bytes are
  ///     kept.
  ///   - redact: A hook that can change message and data before they are written, on the recording
  ///     thread. Crumbs that the hook itself records are ignored.
  public convenience init(
    path: String, capacity: Int = BreadcrumbRecorder.defaultCapacity, keepingLast: Int = 5,
    durability: LogDurability = .process, stackDepth: Int = 32,
    automatic: AutomaticEvents = .standard,
    release: String? = nil, environment: String? = nil,
    redact: (@Sendable (inout CrumbDraft) -> Void)? = nil
  ) throws(RecordingError) {
    let cancellation = ms_begin_uncancellable()
    defer { ms_end_uncancellable(cancellation) }
    if ms_is_off() {
      self.init(
        ms_log_nowhere(), path: "", previousRun: nil, .process, stackDepth: stackDepth, automatic,
        redact)
      return
    }
    let path = expandingProcess(path)
    let before = PreviousRun(replacing: path)
    let opening = LogOpening(
      path: path, capacity: capacity, keepingLast: keepingLast, durability: durability,
      release: release, environment: environment)
    self.init(
      try opening.open(), path: path, previousRun: before, durability, stackDepth: stackDepth,
      automatic, redact)
  }

  /// Creates a recorder in memory, which is lost with the process: for a service that must run
  /// without a log. If no memory is available either, crumbs are ignored.
  package convenience init(
    inMemory capacity: Int, release: String?, environment: String?, stackDepth: Int = 32,
    automatic: AutomaticEvents = .standard, redact: (@Sendable (inout CrumbDraft) -> Void)? = nil
  ) {
    let cancellation = ms_begin_uncancellable()
    defer { ms_end_uncancellable(cancellation) }
    if ms_is_off() {
      self.init(
        ms_log_nowhere(), path: "", previousRun: nil, .process, stackDepth: stackDepth, automatic,
        redact)
      return
    }
    let opening = LogOpening(
      path: nil, capacity: capacity, keepingLast: 0, durability: .process, release: release,
      environment: environment)
    self.init(
      (try? opening.open()) ?? ms_log_nowhere(), path: "", previousRun: nil, .process,
      stackDepth: stackDepth, automatic, redact)
  }

  private init(
    _ log: OpaquePointer, path: String, previousRun: PreviousRun?, _ durability: LogDurability,
    stackDepth: Int, _ automatic: AutomaticEvents, _ redact: (@Sendable (inout CrumbDraft) -> Void)?
  ) {
    self.path = path
    self.previousRun = previousRun
    self.log = log
    self.stackDepth = UInt32(min(max(stackDepth, 1), Int(MS_FRAME_LIMIT)))
    self.hopStacks = automatic.contains(.hopStacks)
    self.redact = redact
    self.timers = RecorderTimers()
    self.pressure = Mutex(nil)
    if !ms_is_off() { startRecording(automatic, durability) }
  }

  deinit {
    stopRecording()
  }

  private func startRecording(_ automatic: AutomaticEvents, _ durability: LogDurability) {
    ms_oom_note(log)
    if let previousRun { tell(previousRun, leavesCrumb: automatic.contains(.start)) }
    if automatic.contains(.start) { ms_lifecycle_note(log, MS_WORD_PROCESS_STARTED) }
    ms_watch_begin(log, automatic.watched)
    if automatic.contains(.memoryPressure) {
      pressure.withLock { $0 = MemoryPressure(log: log) }
    }
    if case .machine(let interval) = durability {
      timers.every(interval) { [weak self] in self?.flush() }
    }
    AffinityCrumbs.begin(self)
  }

  private func tell(_ run: PreviousRun, leavesCrumb: Bool) {
    ms_previous_run_tell(log, run.salt, run.told)
    guard leavesCrumb, run.ending != .clean else { return }
    let certainty = run.certainty == .certain ? "certain" : "probable"
    ms_previous_run_note(
      log, run.ending.words, certainty, run.process, run.ending.signal ?? 0)
  }

  /// Records that a signal has requested the termination of the process, in a program that receives
  /// the signal by a `DispatchSource`, `sigwait` or a `signalfd`, which no handler sees. Has no
  /// effect if the signal is already recorded.
  ///
  ///     let source = DispatchSource.makeSignalSource(signal: SIGTERM)
  ///     source.setEventHandler { recorder.recordTermination(signal: SIGTERM) }
  ///
  /// - Parameter signal: SIGTERM, SIGINT or SIGHUP; others are ignored.
  public func recordTermination(signal: Int32) {
    ms_watch_note_termination(log, signal)
  }

  /// Adds `AutomaticEvents.waitedSignals`, for an adapter to a library that receives signals by a
  /// `DispatchSource`. Has no effect on a recorder that records no signals.
  package func recordWaitedSignals() { ms_watch_accepted(log) }

  /// Writes the log to disk, and records the modules that were loaded since the last call. Crumbs
  /// survive the death of the process without this call, but not the death of the machine.
  ///
  /// - Returns: True if the log was written to disk.
  @discardableResult
  public func flush() -> Bool {
    ms_log_list_modules(log)
    return ms_log_sync(log)
  }

  /// Stops recording, marks the log as ended normally and releases the file. Later crumbs are
  /// ignored.
  public func close() { stopRecording() }

  private func stopRecording() {
    let cancellation = ms_begin_uncancellable()
    defer { ms_end_uncancellable(cancellation) }
    timers.stop()
    pressure.withLock { $0 = nil }
    ms_watch_end(log)
    AffinityCrumbs.end(self)
    ms_log_close(log)
  }

  /// True if crumbs are recorded; false after `close`, in a forked child, and after the file was
  /// truncated.
  public var isRecording: Bool { ms_log_is_recording(log) }
}

private func expandingProcess(_ path: String) -> String {
  path.replacing("{pid}", with: "\(getpid())")
}

extension AutomaticEvents {
  fileprivate var watched: UInt32 {
    var bits: UInt32 = 0
    if contains(.termination) { bits |= MS_WATCH_TERMINATION.rawValue }
    if contains(.suspension) { bits |= MS_WATCH_SUSPENSION.rawValue }
    if contains(.exit) { bits |= MS_WATCH_EXIT.rawValue }
    if contains(.waitedSignals) { bits |= MS_WATCH_WAITED.rawValue }
    return bits
  }
}
