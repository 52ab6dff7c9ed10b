import Foundation
import HeadlessUI
import StatusModel
import ThreadAffinity

/// Takes users through the process, screen by screen, each time the app comes to the front.
///
/// The whole process is in `StatusMachine`; this shows its steps, and hands taps on to it.
///
/// `@unchecked Sendable`: it belongs to the main queue, which the screens that it shows check.
package final class StatusFlow: @unchecked Sendable {
  private let application: Application
  private let home: HomeController
  private let world: StatusMachine.World
  private let care: AnswerCare
  private let door = FrontDoor()
  private let service: CarefulService
  private var machine: StatusMachine?
  private var modal: ViewController?
  private var observers: [any NSObjectProtocol] = []
  private var isSignedOut = false

  /// Begins with the application's launch, and again whenever it comes back.
  package init(
    _ application: Application, home: HomeController, service: any StatusService,
    world: StatusMachine.World, care: AnswerCare = .full
  ) {
    self.application = application
    self.home = home
    self.world = world
    self.care = care
    self.service = CarefulService(service, application: application, door: door, care: care)
    home.onTryAgain = { [weak self] in self?.tryAgain() }
    home.onDiscard = { [weak self] in self?.machine?.cancel() }
    home.onSignInOrOut = { [weak self] in self?.signInOrOut() }
    observe(ApplicationNotification.didBecomeActive) { $0.begin() }
    observe(ApplicationNotification.didEnterBackground) { $0.door.close() }
    observe(ApplicationNotification.willEnterForeground) { $0.door.open() }
  }

  deinit { for observer in observers { application.notifications.removeObserver(observer) } }

  /// Where the process stands; nil before the launch.
  package var step: Step? { machine?.step }

  /// How many answers of the service have come; from any queue.
  package var answers: Int { service.answers }

  /// The user leaves, and whatever is under way is of no interest any more; or is back.
  private func signInOrOut() {
    isSignedOut.toggle()
    home.isSignedOut = isSignedOut
    if isSignedOut {
      machine?.cancel()
      home.show(.unknown, activity: "signed out")
    } else {
      machine = nil
      begin()
    }
  }

  private func observe(
    _ name: Notification.Name, _ body: @escaping @Sendable (StatusFlow) -> Void
  ) {
    observers.append(
      application.notifications.addObserver(forName: name, object: nil, queue: nil) {
        [weak self] _ in self.map(body)
      })
  }

  /// Goes through the process, unless the user is in the midst of it.
  private func begin() {
    if isSignedOut { return }
    if let step, !step.isFinal { return }
    let machine = StatusMachine(
      service: service, world: world, profile: machine?.profile ?? .unknown,
      takesLateAnswers: !care.contains(.ignoresLate))
    self.machine = machine
    machine.onChange = { [weak self] step in self?.show(step) }
    machine.check()
  }

  private func tryAgain() {
    if case .save(let status, _) = step { machine?.save(status: status) }
  }

  private func show(_ step: Step) {
    guard let machine else { return }
    uiWork("status screens") {
      showModal(controller(for: step))
      home.show(machine.profile, activity: step.activity, isFailure: step.isFailure)
    }
  }

  private func showModal(_ controller: ViewController?) {
    if modal != nil { home.dismiss() }
    modal = controller
    if let controller { home.present(controller) }
  }

  private func controller(for step: Step) -> ViewController? {
    switch step {
    case .prompt(let profile):
      PromptController(
        profile, onUpdate: { [weak self] in self?.machine?.update() },
        onPostpone: { [weak self] in self?.machine?.cancel() })
    case .update(let profile):
      UpdateController(
        profile, onCancel: { [weak self] in self?.machine?.cancel() },
        onSave: { [weak self] in self?.machine?.save(status: $0) })
    case .check, .save, .final: nil
    }
  }
}

extension Step {
  /// Whether the process is over.
  fileprivate var isFinal: Bool {
    if case .final = self { true } else { false }
  }

  /// Whether the user is to decide about a failure.
  fileprivate var isFailure: Bool {
    if case .save(_, _?) = self { true } else { false }
  }

  /// What the user's page says of it.
  fileprivate var activity: String {
    switch self {
    case .check(true): "checking your status …"
    case .save(let status, nil): "saving: \(status.text) …"
    case .save(let status, let error?): "not saved: \(status.text), \(error.reason)"
    case .final(.saved): "saved"
    case .final(.unchecked(let error)): "your status could not be checked: \(error.reason)"
    case .check(false), .prompt, .update, .final: ""
    }
  }
}
