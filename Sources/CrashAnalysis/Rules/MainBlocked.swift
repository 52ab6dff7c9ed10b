import IncidentModel
import LogWords

/// Finds what holds the main queue for too long.
final class MainBlocked: Rule {
  static let about = RuleDescription(
    id: "main-blocked", severity: .warning,
    title: "The main queue was held for too long",
    firesWhen: """
      Marked UI work held the main queue for 250 ms or longer; or Xcode's Thread Performance \
      Checker reported a wait there; or, as an error, a hang was recorded: by default after 2 \
      s. So does a report of a hang whose stacks show the program's own code on the main thread, and a \
      picture of threads in which that code waits there.
      """,
    cause: """
      Work that waits, for a file, a lock or an answer, runs where nothing may wait. \
      Everything sent to the main queue meanwhile is late: hops, timers, input.
      """,
    evidence: """
      The duration in the work's crumb; the stack that the hang recorded, or the checker \
      printed.
      """,
    fix: "Do the waiting elsewhere, and hop to the main queue with the result.",
    triggers: """
      DispatchQueue.main.async { uiWork("layout") { board.layOut(readingFrom: disk) } }
      """,
    spares: """
      queue.async {
        let rows = disk.read()
        DispatchQueue.main.async { uiWork("layout") { board.layOut(rows) } }
      }
      """)

  let interest = Interest(.uiWork, .hang, .error)

  /// A hang that nobody has heard the end of yet.
  private var hang: Hang?

  func observe(_ event: Event, in scene: Scene) {
    if event.kind == .hang {
      closeHang(lasting: Hang.lasted(event), isOver: Hang.isEnd(event), in: scene)
      hang = Hang(event, in: scene)
      return
    }
    if event.kind == .error {
      guard event.category == Event.performanceChecker else { return }
      let key = DraftKey(Self.about.id, event.addresses.contentHash)
      return scene.report(key, at: event) { finding(checked: event, scene) }
    }
    guard event.marks.contains(.onMain),
      let held = event.integer(LogKey.nanoseconds).map({ UInt64(clamping: $0) }),
      held >= scene.options.thresholds.mainBlocked
    else { return }
    let key = DraftKey(Self.about.id, SiteKeys.hash(event), event.addresses.contentHash)
    scene.report(key, at: event) { finding(event, held, scene) }
  }

  func finish(in scene: Scene) { closeHang(lasting: 0, isOver: false, in: scene) }

  /// A hang is reported when it is known how long it lasted.
  private func closeHang(lasting: UInt64, isOver: Bool, in scene: Scene) {
    guard let hang else { return }
    self.hang = nil
    let key = DraftKey(Self.about.id, hang.frames.hashValue)
    scene.report(key, at: hang.place) { finding(hang, max(hang.lasted, lasting), isOver, scene) }
  }

  private func finding(_ event: Event, _ time: UInt64, _ scene: Scene) -> Finding {
    let reading = scene.reading(of: event)
    let culprit = MisplacedWork.site(of: event) ?? reading.touched?.place
    return held(
      by: "“\(event.message)”", culprit, " for \(TimeSpan.text(nanoseconds: time))",
      Self.about.severity,
      event.message)
  }

  private func finding(checked event: Event, _ scene: Scene) -> Finding {
    let reading = scene.reading(of: event)
    let culprit = reading.culprit?.place
    let name = culprit.map(Words.name) ?? reading.nearestLibrary?.place.module ?? "code"
    var finding = held(by: name, culprit, "", Self.about.severity, "checked")
    finding.title = "\(Words.capitalized(name)) may hold the main queue, says the \(event.category)"
    finding.evidence = [Finding.Evidence(event.message)] + (reading.absence.map { [$0] } ?? [])
    return finding
  }

  private func finding(_ hang: Hang, _ lasted: UInt64, _ isOver: Bool, _ scene: Scene) -> Finding {
    let reading = scene.read(hang.frames)
    let culprit = reading.touched?.place
    let time = TimeSpan.text(nanoseconds: lasted)
    var finding = held(
      by: culprit.map(Words.name) ?? "code", culprit,
      lasted == 0 ? "" : isOver ? " for \(time)" : " for more than \(time), to the end", .error,
      "hang")
    finding.thread = hang.holder
    finding.wall = hang.wall
    finding.nearby = hang.nearby
    finding.cause = reading.links.reversed().suffix(4).map { link in
      Finding.Step(
        "ran", thread: hang.holder.map { "thread \($0.id)" } ?? "", queue: nil,
        place: link.frame.place)
    }
    if let holder = holder(in: scene) { finding.cause.append(holder) }
    return finding
  }

  /// The thread that has what the main one waits for, where a report tells.
  private func holder(in scene: Scene) -> Finding.Step? {
    let threads = scene.source.hungThreads
    guard let main = threads.first(where: { $0.onMain == .yes }), let number = main.waitsFor,
      let holder = threads.first(where: { $0.ordinal == number })
    else { return nil }
    let frames = scene.frames(of: holder.stack, when: scene.end.monotonic)
    return Finding.Step(
      "has what it waits for", thread: scene.thread(number), queue: holder.queue?.label,
      place: scene.read(frames).touched?.place)
  }

  private func held(
    by name: String, _ culprit: CodePlace?, _ time: String, _ severity: Severity, _ identity: String
  ) -> Finding {
    Finding(
      rule: Self.about.id, severity: severity,
      title: "\(Words.capitalized(name)) held the main queue\(time)", culprit: culprit,
      api: ["hang", "checked"].contains(identity) ? nil : identity,
      fix: Finding.Fix(
        "Do the work on a queue of its own, and hop to the main queue with the result."),
      identity: identity,
      defect: culprit.map { "\($0.module) \($0.function)" } ?? identity)
  }
}
