import IncidentModel
import CLogFormat

/// Finds calls that a hop delivered after their purpose had ended, or never.
final class LateDelivery: Rule {
  static let about = RuleDescription(
    id: "late-delivery", severity: .warning,
    title: "A call was delivered too late to be useful",
    firesWhen: """
      A hop arrived before the process entered the background and ran after it. Or no call of a \
      hop was delivered in the whole run, and one waited for 2 s or more when the run ended without \
      a crash; a hang in progress, or a log that lacks crumbs, does not count. As a note: a hop \
      dropped calls, because it was cancelled or its target was gone.
      """,
    cause: """
      The work outlives its screen, request or phase. Or the hop's queue does not run: it is \
      suspended, or it is the main queue, and the main thread runs the loop of another library.
      """,
    evidence: "The crumbs of the hop, and of the transition to the background between them.",
    fix: """
      Cancel the work together with its screen or request, and check at delivery whether the \
      result still matters. For a queue that does not run: call `dispatchMain()` or \
      `RunLoop.main.run()`, or send the call by the function of the other library's loop, such as \
      `g_idle_add`.
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

  /// The hops that delivered or dropped a call at their destination.
  private var delivering = HopNames(false)

  func observe(_ event: Event, in run: RunState) {
    guard let id = event.hop, let arrival = run.hops.pending[id] else { return }
    // A call that ran where it arrived has a latency of 0.
    if event.integer(MS_KEY_NANOSECONDS) != 0 { delivering[arrival.name] = true }
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

  func finish(in run: EndedRun) {
    guard
      run.ending == .clean || run.ending.isOnRequest || run.ending == .running, run.crash == nil,
      run.hangs.all.isEmpty, run.source.losses.recycledInAll == 0,
      run.source.losses.droppedInAll == 0
    else { return }
    let waiting = run.hops.pending.filter { !delivering[$1.name] }
    for arrival in waiting.sorted(by: { $0.key < $1.key }).map(\.value) {
      let age = run.lastSign - min(arrival.monotonic, run.lastSign)
      guard age >= run.options.thresholds.undelivered else { continue }
      run.report(FindingKey(Self.about.id, arrival.name.hashValue, 3)) {
        undelivered(arrival, age, run)
      }
    }
  }

  private func undelivered(_ arrival: HopJoin.Arrival, _ age: UInt64, _ run: RunState) -> Finding {
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "No call of hop “\(arrival.name)” was delivered: the first one had waited for "
        + "\(TimeSpan.text(nanoseconds: age)) at the end",
      culprit: arrival.site, api: arrival.name,
      fix: Finding.Fix(
        "Find out why the hop's queue does not run. The main loop of another library, such as GLib's, does not "
          + "run the main queue: send the call by that loop, as g_idle_add(function, data) does."),
      identity: "undelivered \(arrival.name)", defect: "hop \(arrival.name)")
    finding.evidence = [
      Finding.Evidence("the hop's queue ran no call of this hop in the whole run")
    ]
    finding.thread = run.threadName(arrival.thread)
    finding.queue = arrival.queue
    finding.cause = [
      Finding.Step(
        "arrived", thread: run.thread(arrival.thread), queue: arrival.queue, place: arrival.site)
    ]
    return finding
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
