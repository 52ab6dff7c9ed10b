/// Lets the user say what their status is now.
final class UpdateState: KYSState {
  private weak var context: (any StateContext)?
  private let profile: KYSProfile

  init(_ context: any StateContext) {
    self.context = context
    profile = context.profile
  }

  var step: Step { .update(profile) }

  func cancel() {
    // Who looks at the screen and closes it has postponed as well.
    context?.postpone()
    context?.gotoFinalState(.cancelled)
  }

  func save(status: KYSStatus) { context?.gotoSaveState(status) }
}
