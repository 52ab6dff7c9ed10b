import StatusModel
import Synchronization

/// A machine whose service the test is, on a day of the test's choice.
final class MachineUnderTest {
  /// Each state that the process can be in, apart from others as far as an action means something else there.
  enum Place: CaseIterable {
    case check, checking, prompt, update, saving, saveFailed, final
  }

  /// An action of a user, or of the app.
  enum Action: CaseIterable {
    case check, update, cancel, save
  }

  let service = HeldService()
  let postponements = HeldPostponement()
  let outdated: KYSProfile
  let today: CalendarDay
  let machine: StatusMachine
  private(set) var steps: [Step] = []

  init(
    _ place: Place = .check, policy: PostponePolicy = .untilNextLaunch,
    takesLateAnswers: Bool = false
  ) throws {
    outdated = try profile(checked: "2019-11-23")
    let today = try day("2020-06-23")
    self.today = today
    machine = StatusMachine(
      service: service,
      world: StatusMachine.World(
        rule: OutdatedRule(months: 6), policy: policy, postponements: postponements,
        today: { today }), takesLateAnswers: takesLateAnswers)
    machine.onChange = { [weak self] in self?.steps.append($0) }
    go(to: place)
  }

  private func go(to place: Place) {
    if place == .check { return }
    machine.check()
    if place == .checking { return }
    service.answer(outdated)
    if place == .prompt { return }
    if place == .final { return machine.cancel() }
    machine.update()
    if place == .update { return }
    machine.save(status: .positive)
    if place == .saveFailed { service.fail() }
  }

  func perform(_ action: Action) {
    switch action {
    case .check: machine.check()
    case .update: machine.update()
    case .cancel: machine.cancel()
    case .save: machine.save(status: .negative)
    }
  }
}
