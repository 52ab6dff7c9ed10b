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
    case "late-delivery" where finding.severity != .note: self = .late
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
    self == .crash ? "makes the call again" : "does it again"
  }

  /// Returns the reason why no test can be generated from a finding.
  package static func refusal(of finding: Finding) -> String {
    switch finding.rule {
    case "main-blocked", "blocking-call", "slow-hop":
      "it is about how long something took: on another machine a test would fail, or pass, for that"
    case "concurrent-access":
      "two threads have to meet in one function, which no schedule can promise"
    case "wrong-executor": "to which thread the code is bound, the first one that comes decides"
    case "sync-deadlock" where finding.identity == "pool":
      "all threads of the pool have to wait at once, which takes as many calls as there are processors"
    case "sync-deadlock":
      "two queues of the program's own waited for each other, which takes more than a callback to repeat"
    case "crash-cause": crashRefusal(of: finding)
    case "unclean-end": "the process ended abruptly, so that there is nothing to repeat"
    case "late-delivery":
      "that a call was dropped is a note: cancelling it may be just what was meant"
    case "hop-overtaken":
      "one hop's calls lost their order, on a concurrent queue or to an answer: that takes more than a "
        + "callback to repeat"
    case "torn-log": "it tells of the log, which no test of the program can repeat"
    case "crash-loop": "it is about many logs: ask for the finding in one of them that says why"
    default: "the log does not say which callback it was"
    }
  }

  private static func crashRefusal(of finding: Finding) -> String {
    switch finding.queue {
    case nil: "nothing in the log says that a callback led to the crash"
    case "com.apple.main-thread":
      "it crashed on the main thread, and nothing in the log says that a callback led there"
    case _? where finding.call == nil:
      "what it died of need not come from the call in which it died"
    case _?: "it crashed in no function that a test in Swift could call"
    }
  }
}
