import IncidentModel
import CLogFormat

/// Finds hops that took far longer to arrive than other hops of the same name.
final class SlowHop: Rule {
  static let about = RuleDescription(
    id: "slow-hop", severity: .warning,
    title: "A hop took far longer than others",
    firesWhen: """
      A hop ran 100 ms or more after its arrival, and eight times as late as the median of its \
      kind, with eight or more of its kind in the log.
      """,
    cause: "The main queue was busy or blocked at that time.",
    evidence: "The time from arrival to run, and the median of its kind.",
    fix: """
      Find the work that held the main queue at that time: see main-blocked, or the crumbs around \
      the hop.
      """,
    triggers: """
      DispatchQueue.main.async { sleep(1) }
      hop.send { $0.show(prices) }                // waits behind it
      """,
    spares: "hop.send { $0.show(prices) }")

  let interest = Interest(.hop)

  private var latencies = HopNames(Latencies())

  func observe(_ event: Event, in run: RunState) {
    guard event.messageBytes.isEqual(to: MS_WORD_RUN), let id = event.hop,
      let latency = event.integer(MS_KEY_NANOSECONDS).map({ UInt64(clamping: $0) })
    else { return }
    let arrival = run.hops.pending[id]
    let name = arrival?.name ?? ""
    let median = latencies[name].median
    latencies[name].add(latency)
    guard latency >= run.options.thresholds.slowHop, latency / 8 >= median ?? 0 else { return }
    run.report(FindingKey(Self.about.id, name.hashValue), at: event) {
      finding(name, latency, median, arrival, event, run)
    }
  }

  private func finding(
    _ name: String, _ latency: UInt64, _ median: UInt64?, _ arrival: HopJoin.Arrival?,
    _ event: Event, _ run: RunState
  ) -> Finding {
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title:
        "A call of hop “\(name)” ran \(TimeSpan.text(nanoseconds: latency)) after it had arrived",
      culprit: arrival?.site, api: name,
      fix: Finding.Fix("Find the work that held the main queue meanwhile."), identity: name,
      defect: "hop \(name)")
    if let median {
      finding.evidence.append(
        Finding.Evidence(
          "the median delay of earlier hops was \(TimeSpan.text(nanoseconds: median))"))
    }
    if let arrival { finding.cause = arrival.steps(ranAt: event, run) }
    return finding
  }
}

/// A histogram of the latencies of one hop, by powers of two.
private struct Latencies {
  private var counts = [UInt32](repeating: 0, count: 65)
  private var total: UInt32 = 0

  mutating func add(_ latency: UInt64) {
    counts[64 - latency.leadingZeroBitCount] &+= 1
    total &+= 1
  }

  /// The approximate median; nil if there are too few samples.
  var median: UInt64? {
    guard total >= 8 else { return nil }
    var seen: UInt32 = 0
    for (bits, count) in counts.enumerated() {
      seen &+= count
      if seen > total / 2 { return bits == 0 ? 0 : 1 << UInt64(bits - 1) }
    }
    return nil
  }
}
