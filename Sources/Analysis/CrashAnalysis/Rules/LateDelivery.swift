import IncidentModel
import CLogFormat

/// Finds calls that a hop delivered after their purpose had ended.
final class LateDelivery: Rule {
  static let about = RuleDescription(
    id: "late-delivery", severity: .warning,
    title: "A call was delivered too late to be useful",
    firesWhen: """
      A hop arrived before the process entered the background and ran after it. As a note: a hop \
      dropped calls, because it was cancelled or its target was gone.
      """,
    cause: "The work outlives its screen, request or phase.",
    evidence: "The crumbs of the hop, and of the transition to the background between them.",
    fix: """
      Cancel the work together with its screen or request, and check at delivery whether the \
      result still matters.
      """,
    triggers: """
      download.start { prices in hop.send { $0.show(prices) } }
      enterBackground()
      """,
    spares: """
      download.start { prices in hop.send { $0.show(prices) } }
      download.cancel()
      enterBackground()
      """)

  let interest = Interest(.hop)

  func observe(_ event: Event, in run: RunState) {
    guard let id = event.hop, let arrival = run.hops.pending[id] else { return }
    if event.messageBytes.isEqual(to: MS_WORD_DROP) {
      run.report(FindingKey(Self.about.id, arrival.name.hashValue, 1), at: event) {
        finding(
          arrival, "was dropped: the hop was cancelled or its target was gone", .note, "drop",
          event,
          run)
      }
    } else if event.messageBytes.isEqual(to: MS_WORD_RUN), run.lifecycle.phase == .background,
      arrival.monotonic < run.lifecycle.since.monotonic
    {
      let late = TimeSpan.text(nanoseconds: event.monotonic &- run.lifecycle.since.monotonic)
      run.report(FindingKey(Self.about.id, arrival.name.hashValue, 2), at: event) {
        finding(
          arrival, "was delivered \(late) after the process had entered the background",
          Self.about.severity, "background", event, run)
      }
    }
  }

  private func finding(
    _ arrival: HopJoin.Arrival, _ what: String, _ severity: Severity, _ identity: String,
    _ event: Event, _ run: RunState
  ) -> Finding {
    var finding = Finding(
      rule: Self.about.id, severity: severity,
      title: "A call of hop “\(arrival.name)” \(what)", culprit: arrival.site, api: arrival.name,
      fix: Finding.Fix(
        "Cancel the work together with its screen or request, and check at delivery whether the result still matters."
      ),
      identity: "\(arrival.name) \(identity)", defect: "hop \(arrival.name)")
    finding.cause = arrival.steps(ranAt: event, run)
    return finding
  }
}
