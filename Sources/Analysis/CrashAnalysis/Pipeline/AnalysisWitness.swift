import IncidentModel

/// Looks on while an input is analysed and keeps what a rule would not: the events themselves.
package protocol AnalysisWitness: AnyObject {
  /// Receives each batch after the rules; the batch is valid only during the call.
  func observe(_ batch: EventBatch)

  /// The input has ended, and the rules have spoken.
  func finish(_ outcome: AnalysisOutcome)
}

/// The result of an analysis at the end of an input.
package struct AnalysisOutcome {
  /// The events of a finding in the input.
  package struct Occurrences {
    package let fingerprint: String
    /// Places of events, counted from 0 through the whole input; the first ones, if there are many.
    package let events: [Int]
  }

  let run: EndedRun

  init(_ run: EndedRun) { self.run = run }

  package var source: any EventSource { run.source }

  package var occurrences: [Occurrences] {
    run.drafts.map { Occurrences(fingerprint: $0.fingerprint, events: $0.events) }
  }

  /// The frames of a stack, innermost first, named; with those that inlining has put together apart.
  package func frames(_ addresses: [FrameAddress], when monotonic: UInt64) -> [Frame] {
    run.frames(at: addresses, when: monotonic)
  }
}
