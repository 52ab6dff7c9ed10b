import IncidentModel
import CLogFormat

/// Finds bursts of hops that could be one hop.
final class HopStorm: Rule {
  static let about = RuleDescription(
    id: "hop-storm", severity: .warning,
    title: "A burst of hops that should be combined",
    firesWhen: """
      50 calls of one hop, or of hops with one name to one object, arrived within 100 ms, each \
      while the previous call still waited; each burst counts once. Hops to different objects, \
      such as the completions of many requests, do not count.
      """,
    cause: """
      A callback for every packet, row or pixel hops each time. The main queue does little else, \
      and only the last result is used.
      """,
    evidence: "The crumbs of the arrivals.",
    fix: """
      Send with `hop.sender(coalescing: .latest)`, which delivers the newest value and has at most \
      one delivery pending.
      """,
    triggers: "for row in fetched { hop.send { $0.show([row]) } }",
    spares: "hop.send { $0.show(fetched) }")

  let interest = Interest(.hop)

  /// The arrival times of a hop's last calls, as a ring buffer.
  private struct Arrivals {
    var times: [UInt64] = []
    var at = 0
    /// The id of the last call.
    var last: UInt64?
  }

  private struct Source: Hashable {
    var name: String
    /// The number of the calls' target; without a target, the number of the hop.
    var object: UInt32
  }

  private var arrivals: [Source: Arrivals] = [:]
  private let most = 4096

  func observe(_ event: Event, in run: RunState) {
    guard event.messageBytes.isEqual(to: MS_WORD_ARRIVAL) else { return }
    let name = event.text(MS_KEY_NAME) ?? ""
    let count = run.options.thresholds.stormHops
    let objects = event.integer(MS_KEY_OBJECTS).map(HopJoin.Objects.init)
    let object = objects.map { $0.target != 0 ? $0.target : $0.hop }
    let source = Source(name: name, object: object ?? 0)
    if arrivals.count >= most { arrivals.removeAll() }
    let before = arrivals[source]?.last
    arrivals[source, default: Arrivals()].last = event.hop
    // A call that arrives after the previous one has run is the only pending one.
    if let before, run.hops.pending[before] == nil { return }
    let oldest = add(event.monotonic, to: &arrivals[source, default: Arrivals()], count)
    guard let oldest, event.monotonic &- oldest <= run.options.thresholds.stormWindow else {
      return
    }
    arrivals[source] = nil
    let span = TimeSpan.text(nanoseconds: event.monotonic &- oldest)
    run.report(FindingKey(Self.about.id, name.hashValue), at: event) {
      finding(name, "\(count) calls of hop “\(name)” arrived within \(span)", event)
    }
  }

  /// Adds a time; returns the time that it overwrites in a full ring buffer.
  private func add(_ time: UInt64, to arrivals: inout Arrivals, _ count: Int) -> UInt64? {
    if arrivals.times.count < count - 1 {
      arrivals.times.append(time)
      return nil
    }
    let oldest = arrivals.times[arrivals.at]
    arrivals.times[arrivals.at] = time
    arrivals.at = (arrivals.at + 1) % arrivals.times.count
    return oldest
  }

  private func finding(_ name: String, _ title: String, _ event: Event) -> Finding {
    Finding(
      rule: Self.about.id, severity: Self.about.severity, title: title,
      culprit: MisplacedWork.site(of: event), api: name,
      fix: Finding.Fix(
        "Send “\(name)” through hop.sender(coalescing: .latest), which keeps one call pending with the newest value, or through hop.sender(coalescing: .batch), which "
          + "delivers all values in one call."),
      identity: name, defect: "hop \(name)")
  }
}
