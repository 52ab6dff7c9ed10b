import IncidentModel

/// Observes the events of an input during its analysis, for output that needs the events
/// themselves.
package protocol AnalysisWitness: AnyObject {
  /// Receives each batch after the rules; the batch is valid only during the call.
  func observe(_ batch: EventBatch)

  /// Called at the end of the input, after all rules have reported.
  func finish(_ outcome: AnalysisOutcome)
}

/// The result of an analysis at the end of an input.
package struct AnalysisOutcome {
  /// The events of one finding.
  package struct Occurrences {
    package let fingerprint: String
    /// The indices of the events, from 0 at the start of the input; only the first ones if there
    /// are many.
    package let events: [Int]
  }

  let run: EndedRun

  init(_ run: EndedRun) { self.run = run }

  package var source: any EventSource { run.source }

  /// The crash of the process, without messages that other threads caused.
  package var crash: Crash? { run.recordedCrash }

  package var occurrences: [Occurrences] {
    run.drafts.map { Occurrences(fingerprint: $0.fingerprint, events: $0.events) }
  }

  /// Returns the symbolicated frames of a stack, innermost first, with inlined frames expanded.
  package func frames(_ addresses: [FrameAddress], when monotonic: UInt64) -> [Frame] {
    run.frames(at: addresses, when: monotonic)
  }
}
