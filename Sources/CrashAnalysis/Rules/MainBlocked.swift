import IncidentModel

/// Finds what holds the main queue for too long.
final class MainBlocked: Rule {
  static let about = RuleDescription(
    id: "main-blocked", severity: .warning, title: "The main queue was held for too long",
    law: """
      Speaks of each place whose marked UI work held the main queue for 250 ms or longer, and of each \
      place in which a hang was recorded.
      """,
    cause: """
      Work that waits, for a file, a lock or an answer, runs where nothing may wait. Everything sent \
      to the main queue meanwhile is late: hops, timers, input.
      """,
    evidence: "The duration in the work's crumb; the stack that a hang recorded.",
    mend: "Do the waiting elsewhere, and hop to the main queue with the result.",
    triggers: "DispatchQueue.main.async { uiWork(\"layout\") { board.layOut(readingFrom: disk) } }",
    spares: """
      queue.async { let rows = read(disk); DispatchQueue.main.async { uiWork("layout") { … } } }
      """)

  let interest = Interest(.uiWork, .hang)

  func observe(_ event: Event, in scene: Scene) {
    guard event.kind == .hang || event.marks.contains(.onMain),
      let held = event.integer("nanoseconds").map({ UInt64(clamping: $0) }),
      event.kind == .hang || held >= scene.options.thresholds.mainBlocked
    else { return }
    let key = DraftKey(Self.about.id, SiteKeys.hash(event), event.addresses.contentHash)
    scene.report(key, at: event) { finding(event, held, scene) }
  }

  private func finding(_ event: Event, _ held: UInt64, _ scene: Scene) -> Finding {
    let reading = scene.reading(of: event)
    let culprit = OffMainWork.site(of: event) ?? reading.touched?.place
    let name = event.kind == .uiWork ? "“\(event.message)”" : culprit.map(Words.name) ?? "code"
    var finding = Finding(
      rule: Self.about.id, severity: event.kind == .hang ? .error : Self.about.severity,
      title: "\(Words.capitalized(name)) held the main queue for \(Words.duration(held))",
      culprit: culprit, api: event.message,
      mend: Finding.Mend(
        "Do the work elsewhere and hop to the main queue with the result.",
        sketch: [
          "queue.async {", "  let result = …  // what takes so long",
          "  DispatchQueue.main.async { … }", "}",
        ]),
      identity: event.kind == .hang ? "hang" : event.message,
      defect: culprit.map { "\($0.module) \($0.function)" } ?? event.message)
    finding.cause = reading.links.reversed().suffix(4).map { link in
      Finding.Step(
        "ran", thread: scene.thread(event.thread), queue: event.queue?.label,
        place: link.frame.place)
    }
    return finding
  }
}
