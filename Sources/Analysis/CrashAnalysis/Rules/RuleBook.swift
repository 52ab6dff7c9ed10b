import IncidentModel

/// All rules, in the order in which reports list their findings.
package enum RuleBook {
  static var rules: [any Rule.Type] {
    [
      CrashCause.self, IsolationTrap.self, UnhoppedCallback.self, UIAfterBackground.self,
      OffMainUI.self, WrongExecutor.self, SyncDeadlock.self, ActorCycle.self, ConcurrentAccess.self,
      ActorReentrancy.self, AffinityDrift.self, HopOvertaken.self,
      LeakedContinuation.self, BackgroundTaskLeak.self, MainBlocked.self, PoolBlocked.self,
      LoopBlocked.self, QueueBlocked.self, BusyTask.self, EndlessWait.self, BlockingCall.self,
      ToolkitOffThread.self,
      LateDelivery.self,
      HopStorm.self, SlowHop.self,
      UncleanEnd.self, TornLog.self,
    ]
  }

  static var fleetRules: [any FleetRule.Type] { [CrashLoop.self] }

  /// The descriptions of all rules.
  package static var descriptions: [RuleDescription] {
    rules.map { $0.about } + fleetRules.map { $0.about } + AuditRules.all
  }

  /// The description of the rule `id`; nil if there is no such rule.
  package static func description(of id: String) -> RuleDescription? {
    descriptions.first { $0.id == id }
  }

  /// True if the rule explains the end of a run. Reports list such findings first.
  static func isVerdict(_ id: String) -> Bool { verdicts.contains(id) }

  private static let verdicts: Set<String> = [
    CrashCause.about.id, SyncDeadlock.about.id, ActorCycle.about.id, UncleanEnd.about.id,
  ]

  /// True if an error of this rule means that an executor was blocked. Such an error ranks above a
  /// violation without consequences.
  package static func isOfStandstill(_ id: String) -> Bool { standstills.contains(id) }

  private static let standstills: Set<String> = [
    MainBlocked.about.id, PoolBlocked.about.id, LoopBlocked.about.id, QueueBlocked.about.id,
    LeakedContinuation.about.id,
  ]

  private static let ranks = Dictionary(
    uniqueKeysWithValues: descriptions.enumerated().map { ($0.element.id, $0.offset) })

  static func rank(_ id: String) -> Int { ranks[id] ?? ranks.count }
}

extension Finding {
  /// True if the finding explains the end of a run.
  package var isVerdict: Bool {
    RuleBook.isVerdict(rule) || chain?.contains { [.end, .afterwards].contains($0.part) } == true
  }
}
