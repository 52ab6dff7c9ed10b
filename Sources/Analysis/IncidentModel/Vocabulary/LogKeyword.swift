import CLogFormat

/// A keyword of the log format, one of a fixed set.
package protocol LogKeyword: CaseIterable, Sendable {
  /// The spelling of the keyword in the log.
  var text: String { get }
}

extension LogKeyword {
  /// Creates the keyword with the spelling `text`; nil if no keyword has it.
  package init?(_ text: String) {
    guard let word = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = word
  }
}

/// A step in the lifecycle of a process: the message of a lifecycle crumb.
package enum LifecycleStep: LogKeyword {
  case processStarted, didLaunch, didBecomeActive, willResignActive, didEnterBackground
  case willEnterForeground, didReceiveMemoryWarning, willTerminate, processExited

  package var text: String {
    switch self {
    case .processStarted: MS_WORD_PROCESS_STARTED
    case .didLaunch: MS_WORD_DID_LAUNCH
    case .didBecomeActive: MS_WORD_DID_BECOME_ACTIVE
    case .willResignActive: MS_WORD_WILL_RESIGN_ACTIVE
    case .didEnterBackground: MS_WORD_DID_ENTER_BACKGROUND
    case .willEnterForeground: MS_WORD_WILL_ENTER_FOREGROUND
    case .didReceiveMemoryWarning: MS_WORD_DID_RECEIVE_MEMORY_WARNING
    case .willTerminate: MS_WORD_WILL_TERMINATE
    case .processExited: MS_WORD_PROCESS_EXITED
    }
  }

  /// True if every run records this step, so that the step does not distinguish runs.
  package var isOfEveryRun: Bool { self == .processStarted || self == .didLaunch }
}

/// The state of a background task, under `MS_KEY_STEP`.
package enum TaskStep: LogKeyword {
  case begin, expired, end

  package var text: String {
    switch self {
    case .begin: MS_WORD_BEGIN
    case .expired: MS_WORD_EXPIRED
    case .end: MS_WORD_END
    }
  }
}

/// A kind of executor that is watched for hangs: the category of a hang's crumbs.
package enum WatchedKind: LogKeyword {
  case mainQueue, pool, queue, actor, loop

  package var text: String {
    switch self {
    case .mainQueue: MS_WORD_MAIN_QUEUE
    case .pool: MS_WORD_POOL
    case .queue: MS_WORD_QUEUE
    case .actor: MS_WORD_ACTOR
    case .loop: MS_WORD_LOOP
    }
  }
}

/// The state of a thread that holds an executor, under `MS_KEY_DOING`.
package enum HolderActivity: LogKeyword {
  /// The thread sleeps in a call.
  case blocked
  /// The thread runs.
  case busy
  /// The thread is runnable, but the scheduler gives it no processor.
  case starved

  package var text: String {
    switch self {
    case .blocked: MS_WORD_BLOCKED
    case .busy: MS_WORD_BUSY
    case .starved: MS_WORD_STARVED
    }
  }
}
