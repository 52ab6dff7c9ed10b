import Breadcrumbs
import CrashCapture
import Synchronization
import ThreadAffinity

/// The diagnostics of a service: its recorder, with crashes, hangs and violations recorded into it.
///
///     let diagnostics = Mainstay.start(release: "1.4.2", environment: "production")
///     diagnostics.recorder.recordLifecycle(.didLaunch)
///
/// Starting never fails and never stops the service: where there is no log to be had, all is recorded in
/// memory, and `problem` says why. Nothing has to be kept for it to work.
public struct Mainstay: Sendable {
  /// The place where crumbs are kept.
  public enum Destination: Sendable, Hashable {
    /// In the log at this path, which `crashscan` reads.
    case file(String)
    /// In memory, which goes with the process.
    case memory
    /// Nowhere: there is no memory for it either.
    case nowhere
  }

  /// Takes the service's crumbs; the same one in the whole process.
  public let recorder: BreadcrumbRecorder
  /// The place where crumbs are kept.
  public let destination: Destination
  /// Why that is not where it was asked to be; nil if it is.
  public let problem: RecordingError?
  /// The build of the service; nil if unknown.
  public let release: String?
  /// The environment of the service; nil if unknown.
  public let environment: String?

  private static let started = Mutex<Mainstay?>(nil)
  private static let capacityInMemory = 1 << 20

  /// Starts to record: crumbs, violations, crashes and hangs, from here to the end of the process.
  ///
  /// A log that another process writes is left to it, and a path with this process's id takes its place:
  /// so two runs that overlap at a restart both have theirs. What keeps the log from where it was asked to
  /// be is said on standard error, once.
  ///
  /// Called again, it changes nothing, and returns what the first call did.
  ///
  /// - Parameters:
  ///   - path: Where the log goes; `MAINSTAY_LOG` in the environment takes precedence. `{pid}` in it becomes
  ///     the process's id.
  ///   - release: Which build of the service this is, as `1.4.2` or a commit; `MAINSTAY_RELEASE` takes precedence over
  ///     it. It appears in every report.
  ///   - environment: Where it runs, as `production`; `MAINSTAY_ENVIRONMENT` takes precedence. It appears in
  ///     every report.
  ///   - capacity: How large the log is; in memory it has a mebibyte.
  ///   - keepingLast: How many logs of earlier runs are kept.
  ///   - durability: What the crumbs must survive.
  ///   - automatic: What is recorded automatically.
  ///   - crashes: What is recorded of a crash, and which hangs are.
  ///   - redact: Sees message and data before they are written, on the recording thread.
  @discardableResult
  public static func start(
    path: String = "breadcrumbs.log", release: String? = nil, environment: String? = nil,
    capacity: Int = BreadcrumbRecorder.defaultCapacity, keepingLast: Int = 5,
    durability: LogDurability = .process, automatic: AutomaticEvents = .standard,
    crashes: CrashOptions = CrashOptions(),
    redact: (@Sendable (inout CrumbDraft) -> Void)? = nil
  ) -> Mainstay {
    started.withLock { started in
      if let started { return started }
      let wish = RecorderConfiguration(
        path: variable("MAINSTAY_LOG") ?? path,
        release: variable("MAINSTAY_RELEASE") ?? release,
        environment: variable("MAINSTAY_ENVIRONMENT") ?? environment, capacity: capacity,
        keepingLast: keepingLast, durability: durability, automatic: automatic, redact: redact)
      let diagnostics = Mainstay(wish)
      diagnostics.sayProblem()
      CrashHandler.install(recordingTo: diagnostics.recorder, options: crashes)
      started = diagnostics
      return diagnostics
    }
  }

  private init(_ wish: RecorderConfiguration) {
    release = wish.release
    environment = wish.environment
    do throws(RecordingError) {
      recorder = try wish.recorder(at: wish.path)
      problem = nil
    } catch {
      problem = error
      let beside = error.code == .inUse ? wish.recorderBeside() : nil
      recorder = beside ?? wish.recorder(inMemory: Self.capacityInMemory)
    }
    if recorder.isRecording {
      destination = recorder.path.isEmpty ? .memory : .file(recorder.path)
    } else {
      destination = .nowhere
    }
  }

  private func sayProblem() {
    guard let problem else { return }
    switch destination {
    case .file(let path): writeLine("mainstay: \(problem); it records to \(path)")
    case .memory:
      writeLine("mainstay: \(problem); it records in memory, which goes with the process")
    case .nowhere: writeLine("mainstay: \(problem); it records nothing")
    }
  }
}
