/// Asks for the status, once `check()` is called.
///
/// `@unchecked Sendable`: it belongs to the queue that drives its machine, as `StatusMachine` says.
final class CheckState: KYSState, @unchecked Sendable {
  private weak var context: (any StateContext)?
  private var isAsking = false
  private var isOver = false

  init(_ context: any StateContext) { self.context = context }

  var step: Step { .check(isAsking: isAsking) }

  func exit() { isOver = true }

  func check() {
    guard !isAsking else { return }
    isAsking = true
    context?.stepChanged()
    context?.getStatus { [self] answer in receive(answer) }
  }

  func cancel() { context?.gotoFinalState(.cancelled) }

  private func receive(_ answer: Result<KYSProfile, StatusError>) {
    guard let context, !isOver || context.takesLateAnswers else { return }
    if case .failure(let error) = answer { return context.gotoFinalState(.unchecked(error)) }
    guard context.isOutdated else { return context.gotoFinalState(.upToDate) }
    if context.isPostponed { context.gotoFinalState(.leftAlone) } else { context.gotoPromptState() }
  }
}
