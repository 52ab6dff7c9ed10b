import IncidentModel

/// Finds calls that ran in another order than they were made.
final class HopOvertaken: Rule {
  static let about = RuleDescription(
    id: "hop-overtaken", severity: .error, title: "Calls ran in another order than they were made",
    law: """
      Speaks of two calls to hops of one name, made at different places, that arrived one after the \
      other on one thread, or on the main queue, and ran the other way round. One hop keeps the order \
      of its calls; hops made at one place are many objects' own, and promise each other nothing. \
      Calls that were dropped, and calls from different threads, have no order to lose.
      """,
    cause: """
      Two ways lead to the main queue: one call runs at once because its thread is there already, or \
      goes by a task with another priority, and passes one that waits in the queue.
      """,
    evidence: "The arrivals and the runs of both calls.",
    mend: "Send both the same way; run inline only when nothing of the same hop waits.",
    triggers: "hop.call { show(old) }  // waits\nTask(priority: .high) { @MainActor in show(new) }",
    spares: "hop.call { show(old) }; hop.call { show(new) }")

  let interest = Interest(.hop)

  /// Calls that wait, by the hop's name and where they came in, in the order of their arrival.
  private var waiting: [Int: [UInt64]] = [:]
  /// Calls that another one has passed.
  private var overtaken: [UInt64: HopJoin.Arrival] = [:]
  private let most = 1 << 16

  func observe(_ event: Event, in scene: Scene) {
    guard let id = event.hop else { return }
    if event.messageBytes.isEqual(to: "arrival") {
      if waiting.count >= 4096 { waiting.removeAll() }
      let key = key(event.text("name") ?? "", event.thread, onMain: event.onMain == .yes)
      if waiting[key, default: []].count < 256 { waiting[key, default: []].append(id) }
      return
    }
    guard let arrival = scene.hops.pending[id] else { return }
    let passed = take(id, arrival, scene.hops)
    let isRun = event.messageBytes.isEqual(to: "run")
    if isRun, let first = passed, overtaken.count < most { overtaken[first] = arrival }
    if let by = overtaken.removeValue(forKey: id), isRun {
      scene.report(DraftKey(Self.about.id, arrival.name.hashValue), at: event) {
        finding(arrival, passedBy: by, event, scene)
      }
    }
  }

  /// The main queue is one place, on whichever thread it runs.
  private func key(_ name: String, _ thread: Int, onMain: Bool) -> Int {
    DraftKey("", name.hashValue, onMain ? -1 : thread).identity
  }

  /// Takes a call out of those that wait; the first before it that came another way.
  private func take(_ id: UInt64, _ arrival: HopJoin.Arrival, _ hops: HopJoin) -> UInt64? {
    let key = key(arrival.name, arrival.thread, onMain: arrival.onMain)
    guard var calls = waiting[key], let place = calls.firstIndex(of: id) else { return nil }
    calls.remove(at: place)
    waiting[key] = calls.isEmpty ? nil : calls
    return calls[..<place].first { before in
      hops.pending[before].map { $0.at != arrival.at } ?? false
    }
  }

  private func finding(
    _ arrival: HopJoin.Arrival, passedBy other: HopJoin.Arrival, _ event: Event, _ scene: Scene
  ) -> Finding {
    let later = Words.duration(other.monotonic &- arrival.monotonic)
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "A call of hop “\(arrival.name)” ran before one that had arrived \(later) earlier",
      culprit: arrival.site, api: arrival.name,
      mend: Finding.Mend(
        "Send both calls the same way; run inline only when nothing of “\(arrival.name)” waits."),
      identity: arrival.name, defect: "hop \(arrival.name)")
    finding.cause = [
      Finding.Step(
        "arrived first", thread: scene.thread(arrival.thread), queue: nil, place: arrival.site),
      Finding.Step(
        "arrived second", thread: scene.thread(other.thread), queue: nil, place: other.site),
      Finding.Step(
        "the second ran, then the first", thread: scene.thread(event.thread),
        queue: event.queue?.label),
    ]
    return finding
  }
}
