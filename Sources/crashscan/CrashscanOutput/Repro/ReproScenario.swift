import IncidentModel

/// A kind of finding that a storm's deliveries can reproduce.
package enum ReproScenario: Hashable, Sendable {
  /// Main-queue work that ran elsewhere.
  case offMain
  /// Code that ran off its queue or actor.
  case offHome
  /// A failed check that ended the process.
  case trap
  /// An off-main call that ended in a crash whose message mentions the main thread.
  case crash
  /// A crash because the callback resumed its caller's continuation twice.
  case secondAnswer
  /// UI work that ran in the background.
  case inBackground
  /// State that was accessed on the main queue and elsewhere.
  case drift
  /// A later call of a hop that ran before an earlier one.
  case overtaken
  /// A hop that ran after the app had entered the background.
  case late
  /// A hop that was called in bursts.
  case burst
  /// A background task that was not ended.
  case leak
  /// A deadlock of the main queue and a worker.
  case deadlock
  /// A deadlock of the main queue with itself.
  case ownDeadlock

  /// Determines the scenario; nil if no delivery reproduces the finding.
  package init?(_ finding: Finding) {
    switch finding.rule {
    case "off-main-ui", "unhopped-callback": self = .offMain
    // The thread to which an affinity is bound varies, so such a finding has no home.
    case "wrong-executor" where finding.home != nil: self = .offHome
    case "isolation-trap": self = .trap
    case "crash-cause" where finding.call?.file?.hasSuffix(".swift") ?? false:
      self = finding.identity == "continuation-resumed-twice" ? .secondAnswer : .crash
    case "ui-after-background": self = .inBackground
    case "affinity-drift": self = .drift
    // The order of calls within one hop depends on timing, or on a suspension in between.
    case "hop-overtaken" where !finding.identity.hasPrefix("one-hop "): self = .overtaken
    case "late-delivery"
    where finding.severity != .note && !finding.identity.hasPrefix("undelivered "):
      self = .late
    case "hop-storm": self = .burst
    case "background-task-leak": self = .leak
    case "sync-deadlock" where finding.identity == "own": self = .ownDeadlock
    // The finding does not name the two queues that waited for each other.
    case "sync-deadlock" where finding.identity != "queues" && finding.identity != "pool":
      self = .deadlock
    default: return nil
    }
  }

  /// The effect of the generated test.
  package var what: String {
    // The log does not contain the state that led to the crash.
    self == .crash ? "makes the call again" : "repeats the bug"
  }

  /// Returns the reason why no test can be generated from a finding.
  package static func refusal(of finding: Finding) -> String {
    switch finding.rule {
    case "main-blocked", "blocking-call", "slow-hop":
      "the finding is about durations: on another machine a test could fail or pass by chance"
    case "concurrent-access":
      "two threads have to run one function at the same time, which no schedule can guarantee"
    case "wrong-executor":
      "the code is bound to the first thread that calls it, so a schedule cannot name the thread"
    case "sync-deadlock" where finding.identity == "pool":
      "all threads of the pool have to wait at the same time, which takes one call per processor"
    case "sync-deadlock":
      "two queues of the program waited for each other, which a single callback cannot reproduce"
    case "crash-cause": crashRefusal(of: finding)
    case "unclean-end": "the process ended abruptly, so there is no callback to repeat"
    case "late-delivery" where finding.severity != .note:
      "a test runs the main queue, which the program did not run"
    case "late-delivery":
      "the dropped call is only a note: the program may have cancelled it on purpose"
    case "hop-overtaken":
      "calls of one hop lost their order, on a concurrent queue or to an answer, which a single callback "
        + "cannot reproduce"
    case "torn-log": "the finding is about the log file, which no test of the program can reproduce"
    case "crash-loop":
      "the finding is about many logs: choose the finding of one of these logs that names the cause"
    default: "the log does not name the callback"
    }
  }

  private static func crashRefusal(of finding: Finding) -> String {
    switch finding.queue {
    case nil: "the log does not show that a callback led to the crash"
    case "com.apple.main-thread":
      "the process crashed on the main thread, and the log does not show that a callback led to the crash"
    case _? where finding.call == nil:
      "the call in which the process died need not be the cause of its death"
    case _?: "the process crashed in code that a Swift test cannot call"
    }
  }
}
