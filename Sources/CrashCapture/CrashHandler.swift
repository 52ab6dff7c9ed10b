import Breadcrumbs
internal import CCrashHandler
import Synchronization

/// Puts the crash itself into the breadcrumb log: every fatal signal, with every thread's stack.
///
/// One handler serves the process. It comes before whatever handled these signals, records, and
/// hands on: exit status, core dump and other crash reporters are as they would have been.
public enum CrashHandler {
  private struct Installed: Sendable {
    // Its log is written by handlers as long as they may run.
    let recorder: BreadcrumbRecorder
    let hangWatch: HangWatch?
  }

  private static let installed = Mutex<Installed?>(nil)

  /// Records crashes into `recorder`'s log from now on. Calling it again changes where and how.
  public static func install(
    recordingTo recorder: BreadcrumbRecorder, options: CrashOptions = CrashOptions()
  ) {
    var chosen = ms_crash_options()
    chosen.log = recorder.log
    chosen.thread_budget_ns = options.otherThreadsTimeLimit.nanoseconds
    chosen.takes_quit = options.recordsQuit
    chosen.remembers_thrown = options.remembersThrownErrors
    TaskNames.learn()
    installed.withLock { installed in
      installed = nil
      ms_crash_install(&chosen)
      installed = Installed(
        recorder: recorder,
        hangWatch: options.hangThreshold.flatMap { HangWatch(log: recorder.log, threshold: $0) })
    }
  }

  /// Gives all signals back to whom they belonged.
  public static func uninstall() {
    installed.withLock { installed in
      ms_crash_uninstall()
      installed = nil
    }
  }

  /// Gives the calling thread what it takes to report the end of its stack. Every thread that the
  /// process makes has it already, unless it was made without `pthread_create`.
  ///
  /// - Returns: False if there is no memory for it.
  @discardableResult
  public static func coverCurrentThread() -> Bool { ms_crash_cover_thread() }
}
