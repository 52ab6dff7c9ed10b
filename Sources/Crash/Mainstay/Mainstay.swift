import Breadcrumbs
import CrashCapture
import Synchronization
import ThreadAffinity

/// The diagnostics of a service: its recorder, with crashes, hangs and violations recorded into it.
///
///     let diagnostics = Mainstay.start(release: "1.4.2", environment: "production")
///     diagnostics.recorder.recordLifecycle(.didLaunch)
///
/// Starting never fails and never stops the service: without a log, crumbs are recorded in memory, and
/// `problem` has the reason. You need not keep the value.
public struct Mainstay: Sendable {
  /// The place where crumbs are kept.
  public enum Destination: Sendable, Hashable {
    /// In the log at this path, which `crashscan` reads.
    case file(String)
    /// In memory, which is lost at the end of the process.
    case memory
    /// Nowhere, because there is not enough memory, or because of `MAINSTAY=off`.
    case nowhere
  }

  /// The recorder for the service's crumbs, shared by the whole process.
  public let recorder: BreadcrumbRecorder
  /// The place where crumbs are kept.
  public let destination: Destination
  /// The reason why crumbs are not in the requested place; nil if they are.
  public let problem: RecordingError?
  /// The build of the service; nil if unknown.
  public let release: String?
  /// The environment of the service; nil if unknown.
  public let environment: String?

  private static let started = Mutex<Mainstay?>(nil)
  private static let capacityInMemory = 1 << 20

  /// Starts recording of crumbs, violations, crashes and hangs, until the end of the process.
  ///
  /// If another process writes the log, this process writes `breadcrumbs-2.log` or the next free number beside
  /// it, so that two runs that overlap at a restart both have a log. A message on standard error says once why
  /// the log is not in the requested place, and another what the process cannot record, if its build, kernel or
  /// container takes something away.
  ///
  /// With `MAINSTAY=off` in the environment, a call has no effect: no thread, no signal handler, no file.
  ///
  /// A further call has no effect and returns the result of the first.
  ///
  /// - Parameters:
  ///   - path: The path of the log; `MAINSTAY_LOG` in the environment takes precedence. `{pid}` in the path
  ///     becomes the process's id.
  ///   - release: The build of the service, such as `1.4.2` or a commit, which appears in every report;
  ///     `MAINSTAY_RELEASE` takes precedence.
  ///   - environment: The environment of the service, such as `production`, which appears in every report;
  ///     `MAINSTAY_ENVIRONMENT` takes precedence.
  ///   - capacity: The size of the log file. A log in memory has one mebibyte.
  ///   - keepingLast: The number of logs of earlier runs that are kept.
  ///   - durability: The failures that crumbs survive: death of the process, or of the machine.
  ///   - automatic: The events that are recorded automatically.
  ///   - crashes: The options of crash capture and of the hang watch.
  ///   - redact: Changes the message and data of a crumb before the crumb is written, on the recording thread.
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
      let configuration = RecorderConfiguration(
        path: variable("MAINSTAY_LOG") ?? path,
        release: variable("MAINSTAY_RELEASE") ?? release,
        environment: variable("MAINSTAY_ENVIRONMENT") ?? environment, capacity: capacity,
        keepingLast: keepingLast, durability: durability, automatic: automatic, redact: redact)
      let diagnostics = Mainstay(configuration)
      diagnostics.sayProblem()
      var crashes = crashes
      if variable("MAINSTAY_PROGRAM") == "keep" { crashes.keepsProgram = true }
      CrashHandler.install(recordingTo: diagnostics.recorder, options: crashes)
      diagnostics.sayMissingFeatures()
      started = diagnostics
      return diagnostics
    }
  }

  private init(_ configuration: RecorderConfiguration) {
    release = configuration.release
    environment = configuration.environment
    do throws(RecordingError) {
      recorder = try configuration.recorder(at: configuration.path)
      problem = nil
    } catch {
      problem = error
      let beside = error.code == .inUse ? configuration.recorderBeside() : nil
      recorder = beside ?? configuration.recorder(inMemory: Self.capacityInMemory)
    }
    if recorder.isRecording {
      destination = recorder.path.isEmpty ? .memory : .file(recorder.path)
    } else {
      destination = .nowhere
    }
  }

  private func sayMissingFeatures() {
    guard destination != .nowhere else { return }
    let missing = CrashHandler.missingFeatures
    if missing.isEmpty { return }
    writeLine(
      "mainstay: this process records less than usual: \(missing.joined(separator: "; ")) (docs/deploying.md lists the reasons)"
    )
  }

  private func sayProblem() {
    guard let problem else { return }
    switch destination {
    case .file(let path): writeLine("mainstay: \(problem); recording to \(path)")
    case .memory:
      writeLine(
        "mainstay: \(problem); recording in memory only, which is lost when the process ends")
    case .nowhere: writeLine("mainstay: \(problem); recording is off")
    }
  }
}
