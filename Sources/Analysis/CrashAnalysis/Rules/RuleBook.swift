import IncidentModel

/// Every rule, in the order in which their findings are read.
package enum RuleBook {
  static var rules: [any Rule.Type] {
    [
      CrashCause.self, IsolationTrap.self, UnhoppedCallback.self, UIAfterBackground.self,
      OffMainUI.self, WrongExecutor.self, SyncDeadlock.self, ActorCycle.self, ConcurrentAccess.self,
      AffinityDrift.self, HopOvertaken.self,
      LeakedContinuation.self, BackgroundTaskLeak.self, MainBlocked.self, PoolBlocked.self,
      LoopBlocked.self, QueueBlocked.self, BlockingCall.self, ToolkitOffThread.self,
      LateDelivery.self,
      HopStorm.self, SlowHop.self,
      UncleanEnd.self, TornLog.self,
    ]
  }

  static var fleetRules: [any FleetRule.Type] { [CrashLoop.self] }

  /// The descriptions of all rules.
  package static var descriptions: [RuleDescription] {
    rules.map { $0.about } + fleetRules.map { $0.about }
  }

  /// The description of the rule `id`; nil if there is no such rule.
  package static func description(of id: String) -> RuleDescription? {
    descriptions.first { $0.id == id }
  }

  /// Whether a rule says how a run ended: that comes first, whatever else was found.
  static func isVerdict(_ id: String) -> Bool { verdicts.contains(id) }

  private static let verdicts: Set<String> = [
    CrashCause.about.id, SyncDeadlock.about.id, ActorCycle.about.id, UncleanEnd.about.id,
  ]

  /// Whether an error of a rule says that something stood still: that weighs more than a violation without consequence.
  static func isOfStandstill(_ id: String) -> Bool { standstills.contains(id) }

  private static let standstills: Set<String> = [
    MainBlocked.about.id, PoolBlocked.about.id, LoopBlocked.about.id, QueueBlocked.about.id,
    LeakedContinuation.about.id,
  ]

  private static let ranks = Dictionary(
    uniqueKeysWithValues: descriptions.enumerated().map { ($0.element.id, $0.offset) })

  static func rank(_ id: String) -> Int { ranks[id] ?? ranks.count }
}

extension Finding {
  /// Whether it says how a run ended, or what ended it.
  package var isVerdict: Bool {
    RuleBook.isVerdict(rule) || chain?.contains { [.end, .afterwards].contains($0.part) } == true
  }
}
