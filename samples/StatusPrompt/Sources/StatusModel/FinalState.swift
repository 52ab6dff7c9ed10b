/// The process is over: no action means anything any more.
final class FinalState: KYSState {
  private let outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }

  var step: Step { .final(outcome) }
}
