/// Saves the new status; where that fails it waits for `save(status:)` to try again, or `cancel()`.
///
/// `@unchecked Sendable`: it belongs to the queue that drives its machine, as `StatusMachine` says.
final class SaveState: KYSState, @unchecked Sendable {
  private weak var context: (any StateContext)?
  private var status: KYSStatus
  private var failure: StatusError?
  /// How often it was sent: an answer to an earlier attempt says nothing of this one.
  private var attempt = 0
  private var isOver = false

  init(_ status: KYSStatus, _ context: any StateContext) {
    self.status = status
    self.context = context
  }

  var step: Step { .save(status, failure: failure) }

  func enter() { send() }

  func exit() { isOver = true }

  func save(status: KYSStatus) {
    guard failure != nil else { return }
    self.status = status
    failure = nil
    context?.stepChanged()
    send()
  }

  func cancel() { context?.gotoFinalState(.cancelled) }

  private func send() {
    attempt += 1
    let attempt = attempt
    context?.saveStatus(status) { [self] answer in receive(answer, to: attempt) }
  }

  private func receive(_ answer: Result<KYSProfile, StatusError>, to attempt: Int) {
    guard let context, !isOver || context.takesLateAnswers, attempt == self.attempt else { return }
    switch answer {
    case .success: context.gotoFinalState(.saved)
    case .failure(let error):
      failure = error
      context.stepChanged()
    }
  }
}
