/// Lets the user say whether they would like to update their status now.
final class PromptState: KYSState {
  private weak var context: (any StateContext)?
  private let profile: KYSProfile

  init(_ context: any StateContext) {
    self.context = context
    profile = context.profile
  }

  var step: Step { .prompt(profile) }

  func update() { context?.gotoUpdateState() }

  func cancel() {
    context?.postpone()
    context?.gotoFinalState(.cancelled)
  }
}
