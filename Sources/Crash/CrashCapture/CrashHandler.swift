import Breadcrumbs
internal import CCrashHandler
internal import CRecorder
import Synchronization

/// Records crashes in the breadcrumb log: every fatal signal, with the stacks of all threads.
///
/// A process has one handler. The handler runs before those installed earlier, records the crash, and
/// forwards the signal: exit status, core dump and other crash reporters work as without the handler.
public enum CrashHandler {
  private struct Installed: Sendable {
    // Retained, because signal handlers write to the recorder's log as long as they may run.
    let recorder: BreadcrumbRecorder
    let thresholds: (mainQueue: Duration, pools: Duration, loops: Duration)
    var watchThread: WatchThread?

    mutating func watch() {
      watchThread = WatchThread(
        log: recorder.log, mainQueue: thresholds.mainQueue, pools: thresholds.pools,
        loops: thresholds.loops)
    }
  }

  private static let installed = Mutex<Installed?>(nil)

  /// Starts to record crashes in `recorder`'s log. A further call changes the recorder and the options. With
  /// `MAINSTAY=off` in the environment, a call has no effect.
  public static func install(
    recordingTo recorder: BreadcrumbRecorder, options: CrashOptions = CrashOptions()
  ) {
    if ms_is_off() { return }
    var chosen = ms_crash_options()
    chosen.log = recorder.log
    chosen.thread_budget_ns = options.otherThreadsTimeLimit.nanoseconds
    chosen.task_budget_ns = options.waitingTasksTimeLimit.nanoseconds
    chosen.takes_quit = options.capturesSIGQUIT
    chosen.remembers_thrown = options.remembersThrownErrors
    chosen.hears_runtime = { text in CrashHandler.hear(text) }
    ms_requests_set_limit((options.requestThreshold ?? .zero).nanoseconds)
    TaskNames.learn()
    installed.withLock { installed in
      installed = nil
      ms_crash_install(&chosen)
      var now = Installed(
        recorder: recorder,
        thresholds: (
          options.hangThreshold ?? .zero, options.poolThreshold ?? .zero,
          options.loopThreshold ?? .zero
        ),
        watchThread: nil)
      if now.thresholds != (.zero, .zero, .zero) || ms_watched_others() { now.watch() }
      installed = now
    }
    if options.keepsProgram { ms_log_keep_program(recorder.log, recorder.path) }
  }

  /// Starts the watch thread for a watch that was just added, unless the thread exists.
  static func watchAlsoOthers() {
    installed.withLock { installed in
      if installed?.watchThread == nil { installed?.watch() }
    }
  }

  /// Restores the earlier signal handlers.
  public static func uninstall() {
    installed.withLock { installed in
      ms_crash_uninstall()
      installed = nil
    }
  }

  /// Records a message of the runtime on standard error as a crumb of the code that caused the message.
  private static func hear(_ text: UnsafePointer<CChar>?) {
    guard let text, let recorder = installed.withLock({ $0?.recorder }) else { return }
    var words = Substring(String(cString: text))
    while words.last?.isNewline == true { words.removeLast() }
    guard let first = FirstAccess(words) else {
      if words.contains("leaked its continuation") { ms_waits_lost_one() }
      recorder.record(words, level: .error, category: "swift-runtime", stack: .always)
      return
    }
    recorder.record(
      first.complaint, level: .error, category: "swift-runtime",
      data: [MS_KEY_ORIGIN: .string(first.manner), MS_KEY_ORIGIN_STACK: .string(first.address)],
      stack: .always)
  }

  /// Prepares the calling thread so that a stack overflow on it can be recorded. Threads made by
  /// `pthread_create` are prepared already.
  ///
  /// - Returns: False if there is not enough memory.
  @discardableResult
  public static func installAlternateStack() -> Bool { ms_crash_cover_thread() }
}
