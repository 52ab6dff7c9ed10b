import Foundation

/// The process of asking users to update their status: one machine for each time it is gone through.
///
/// `@unchecked Sendable`: it knows no queue. Whoever drives it does so on one, and has the service answer
/// there; the screens that show its steps check that.
package final class StatusMachine: @unchecked Sendable {
  /// What the machine is to know about its user and the world.
  package struct World: Sendable {
    package var rule: OutdatedRule
    package var policy: PostponePolicy
    package var postponements: any PostponementKeeping
    package var launch: UUID
    package var today: @Sendable () -> CalendarDay

    package init(
      rule: OutdatedRule, policy: PostponePolicy, postponements: any PostponementKeeping,
      launch: UUID = UUID(), today: @escaping @Sendable () -> CalendarDay
    ) {
      self.rule = rule
      self.policy = policy
      self.postponements = postponements
      self.launch = launch
      self.today = today
    }
  }

  /// Where the process stands.
  package private(set) var step = Step.check(isAsking: false) {
    didSet { if step != oldValue { onChange?(step) } }
  }
  /// Called at each step after the first.
  package var onChange: ((Step) -> Void)?
  /// The profile, as far as it is known.
  package private(set) var profile: KYSProfile
  /// Whether states act on answers that come when they were left already; this is a bug.
  package let takesLateAnswers: Bool

  private let service: any StatusService
  private let world: World
  private var state: (any KYSState)?

  /// - Parameter profile: What was known when the process was last gone through.
  package init(
    service: any StatusService, world: World, profile: KYSProfile = .unknown,
    takesLateAnswers: Bool = false
  ) {
    self.service = service
    self.world = world
    self.profile = profile
    self.takesLateAnswers = takesLateAnswers
    gotoCheckState()
  }

  // MARK: - Actions

  /// Begins the process.
  package func check() { state?.check() }

  /// Goes on to update the status.
  package func update() { state?.update() }

  /// Postpones, closes the screen, or gives up saving, as the state has it.
  package func cancel() { state?.cancel() }

  /// Saves the new status, for the first time or again.
  package func save(status: KYSStatus) { state?.save(status: status) }

  private func enter(_ next: any KYSState) {
    state?.exit()
    state = next
    step = next.step
    next.enter()
  }
}

extension StatusMachine: StateContext {
  package func gotoCheckState() { enter(CheckState(self)) }
  package func gotoPromptState() { enter(PromptState(self)) }
  package func gotoUpdateState() { enter(UpdateState(self)) }
  package func gotoSaveState(_ status: KYSStatus) { enter(SaveState(status, self)) }
  package func gotoFinalState(_ outcome: Outcome) { enter(FinalState(outcome)) }

  package func getStatus(completion: @escaping StatusService.Answer) {
    service.getStatus { [weak self] answer in
      self?.remember(answer)
      completion(answer)
    }
  }

  package func saveStatus(_ status: KYSStatus, completion: @escaping StatusService.Answer) {
    service.saveStatus(KYSProfile(status: status, lastCheck: world.today())) {
      [weak self] answer in
      if case .success = answer { self?.world.postponements.postponement = nil }
      self?.remember(answer)
      completion(answer)
    }
  }

  private func remember(_ answer: Result<KYSProfile, StatusError>) {
    if case .success(let profile) = answer { self.profile = profile }
  }

  package var isOutdated: Bool { world.rule.isOutdated(profile, on: world.today()) }

  package var isPostponed: Bool {
    world.policy.isQuiet(
      after: world.postponements.postponement, on: world.today(), launch: world.launch)
  }

  package func postpone() {
    world.postponements.postponement = Postponement(day: world.today(), launch: world.launch)
  }

  package func stepChanged() { if let state { step = state.step } }
}
