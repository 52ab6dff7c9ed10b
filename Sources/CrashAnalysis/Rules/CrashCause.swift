import IncidentModel

/// Says what led to the end of a process, how sure that is, and why.
final class CrashCause: Rule {
  static let about = RuleDescription(
    id: "crash-cause", severity: .error, title: "What led to the crash",
    firesWhen: """
      The process crashed; or it ended abruptly, and main-queue work off the main queue, or open \
      background work, came just before. A check's own trap is certain; a violation on the crashed \
      thread within a second is very likely; one elsewhere within 10 s is possible; background work \
      that was open when the process died in the background is possible. Where there is none of \
      these it says that no link to queues was recorded.
      """,
    cause: "As its evidence says; the rules about the same code explain more.",
    evidence: """
      The crash's own stack, the violations before it, the last lifecycle transition, the background \
      tasks that were open.
      """,
    fix: "The fix of what it ranks first.",
    triggers: "queue.async { uiWork(\"layout\") { board.layOut() } }  // and dies of it",
    spares: "exit(0)")

  let interest = Interest(.violation)

  /// How sure it is; the raw values are part of fingerprints.
  private enum Certainty: String {
    case certain
    case veryLikely = "very-likely"
    case likely, possible
    case noLink = "no-link"

    var words: String {
      switch self {
      case .certain: "certain"
      case .veryLikely: "very likely"
      case .likely: "likely"
      case .possible: "possible"
      case .noLink: "no link was recorded"
      }
    }
  }

  /// A violation as it may turn out to have led to the end.
  private struct Suspect {
    var work: OffMainWork
    var moment: Moment
    var thread: Int
    var queue: String?

    var monotonic: UInt64 { moment.monotonic }
  }

  private var last: Suspect?
  /// What violations with one message and one stack are about.
  private var works: [Int: OffMainWork] = [:]
  /// The last on each thread, for the thread that crashes.
  private var byThread: [Int: Suspect] = [:]

  func observe(_ event: Event, in scene: Scene) {
    let key = DraftKey("", event.messageBytes.contentHash, event.addresses.contentHash).identity
    if works.count >= 1024 { works.removeAll() }
    guard let work = works[key] ?? OffMainWork(event, in: scene), work.isCertain else { return }
    works[key] = work
    let suspect = Suspect(
      work: work, moment: event.moment, thread: event.thread, queue: event.queue?.label)
    if byThread.count >= 256 { byThread.removeAll() }
    byThread[event.thread] = suspect
    last = suspect
  }

  func finish(in scene: Scene) {
    if let crash = CrashReading(in: scene) {
      // Threads that wait for each other are sync-deadlock's to tell.
      if Deadlock(crash, in: scene) != nil { return }
      scene.report(DraftKey(Self.about.id)) { explain(crash, scene) }
    } else if scene.ending == .sudden, let finding = explainSilence(scene) {
      scene.report(DraftKey(Self.about.id)) { finding }
    }
  }

  // MARK: A recorded crash

  private func explain(_ crash: CrashReading, _ scene: Scene) -> Finding {
    let when = crash.crash.monotonic
    let own = crash.crash.thread?.ordinal.flatMap { byThread[$0] }
    if crash.isIsolationTrap { return certain(crash, own, scene) }
    if let own, when &- own.monotonic < 1_000_000_000 {
      return blame(own, .veryLikely, "on the thread that crashed", crash, scene)
    }
    if let last, when &- last.monotonic < scene.options.thresholds.nearEnd {
      return blame(last, .possible, "on another thread", crash, scene)
    }
    // A stack with code of the program's own says more than what was under way elsewhere.
    if crash.reading.links.isEmpty, let finding = background(scene, end: when, crash) {
      return finding
    }
    return nothing(crash, scene)
  }

  private func certain(_ crash: CrashReading, _ own: Suspect?, _ scene: Scene) -> Finding {
    // What the thread did long ago, or a check of another queue, is another story.
    let own = own.flatMap { own in
      let isMain = crash.crash.expected.map(OffMainWork.isMain) ?? true
      return isMain && crash.crash.monotonic &- own.monotonic < 1_000_000_000 ? own : nil
    }
    let check = own == nil ? "a check" : "a check of the main queue"
    var finding = base(
      "The process died in \(check): \(name(crash.culprit)) ran on \(crash.queueName)",
      .certain, culprit: crash.culprit, scene)
    finding.fix = Fixes.hop(crash.reading, culprit: crash.culprit)
    finding.fix.text += " Keep the check: it caught a real bug."
    finding.cause = own.map { steps($0, scene) } ?? steps(crash, scene)
    // A check that says by itself why the process ends is what was come to, and no work.
    if let own, crash.crash.text.contains(own.work.api),
      let last = finding.cause.indices.last
    {
      finding.cause[last].text = "failed the check “\(own.work.api)”"
    }
    finish(&finding, crash, scene)
    return finding
  }

  private func nothing(_ crash: CrashReading, _ scene: Scene) -> Finding {
    let isAskedFor = crash.wasAskedFor(in: scene)
    let what = crash.crash.name
    let reason = crash.reason.isEmpty ? "" : ", \(crash.reason)"
    let how = isAskedFor ? "was sent to it" : "in \(name(crash.culprit))\(reason)"
    var finding = base(
      "\(what) \(how); no link to queues was recorded", .noLink, culprit: crash.culprit, scene)
    if isAskedFor { finding.severity = .note }
    finding.fix = Finding.Fix(
      "Start with the crash's own stack.")
    finding.cause = steps(crash, scene)
    finding.evidence +=
      scene.lifecycle.phase == .background
      ? scene.tasks.inOrder.map { task in
        Finding.Evidence("background task “\(task.name)” was under way", place: task.place)
      } : []
    finish(&finding, crash, scene)
    return finding
  }

  private func steps(_ suspect: Suspect, _ scene: Scene) -> [Finding.Step] {
    CauseChain.steps(
      suspect.work, thread: scene.thread(suspect.thread), queue: suspect.queue)
  }

  /// The crash's own stack, outermost first.
  private func steps(_ crash: CrashReading, _ scene: Scene) -> [Finding.Step] {
    let thread = crash.thread(in: scene)
    return crash.reading.links.prefix(6).reversed().map { link in
      Finding.Step("ran", thread: thread, queue: crash.queue, place: link.frame.place)
    }
  }

  // MARK: An abrupt end

  private func explainSilence(_ scene: Scene) -> Finding? {
    let end = scene.lastMonotonic
    if let last, end &- last.monotonic < 1_000_000_000 {
      return blame(last, .likely, "just before the end", nil, scene)
    }
    return background(scene, end: end, nil)
  }

  private func background(_ scene: Scene, end: UInt64, _ crash: CrashReading?) -> Finding? {
    guard scene.lifecycle.phase == .background, let task = scene.tasks.newest.last else {
      return nil
    }
    let since = end &- scene.lifecycle.since.monotonic
    guard since < 60_000_000_000 else { return nil }
    let what = crash.map { "\($0.crash.name)" } ?? "The end"
    var finding = base(
      "\(what) came \(TimeSpan.text(nanoseconds: since)) after the background was entered, while background "
        + "task “\(task.name)” ran",
      .possible, culprit: task.place, scene)
    finding.api = task.name
    finding.evidence.append(
      Finding.Evidence(
        "“\(task.name)” had been running for \(TimeSpan.text(nanoseconds: end &- task.begun))"))
    finding.fix = Finding.Fix(
      "Look for UI work in what “\(task.name)” waits for: hop to the main queue there, and do no UI "
        + "work in the background.",
      code: [
        "DispatchQueue.main.async { [weak self] in",
        "  guard let self, !self.isInBackground else { return }", "  …", "}",
      ])
    finish(&finding, crash, scene)
    return finding
  }

  // MARK: Putting it together

  private func blame(
    _ suspect: Suspect, _ certainty: Certainty, _ where: String, _ crash: CrashReading?,
    _ scene: Scene
  ) -> Finding {
    let end = crash?.moment ?? scene.end
    // A report's violation is what it died of: there is no time between them.
    let isOne = crash != nil && scene.source.names != nil && suspect.monotonic == end.monotonic
    let earlier = isOne ? nil : suspect.moment.time(until: end)
    let what = crash.map { $0.crash.name } ?? "The abrupt end"
    let came = isOne ? "came because" : earlier.map { "came \($0) after" } ?? "came after"
    let lifecycle = scene.lifecycle
    let isInBackground =
      lifecycle.phase == .background && lifecycle.since.monotonic <= suspect.monotonic
    let state = isInBackground ? ", in the background" : ""
    var finding = base(
      "\(what) \(came) “\(suspect.work.api)” ran off the main queue\(state)", certainty,
      culprit: suspect.work.culprit, scene)
    finding.api = suspect.work.api
    finding.evidence.append(
      Finding.Evidence(
        "that was \(`where`), on \(scene.queueName(suspect.queue))", place: suspect.work.touched))
    finding.fix =
      isInBackground ? Fixes.hopInBackground(suspect.work) : Fixes.hop(suspect.work)
    finding.cause = steps(suspect, scene)
    finding.thread = scene.threadName(suspect.thread)
    finding.queue = suspect.queue
    finish(&finding, crash, scene)
    return finding
  }

  private func base(
    _ title: String, _ certainty: Certainty, culprit: CodePlace?, _ scene: Scene
  ) -> Finding {
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity, title: title, culprit: culprit, api: nil,
      fix: Finding.Fix(""), identity: certainty.rawValue,
      defect: culprit.map { "\($0.module) \($0.function)" } ?? "crash")
    finding.evidence = [Finding.Evidence("how sure: \(certainty.words)")]
    return finding
  }

  private func finish(_ finding: inout Finding, _ crash: CrashReading?, _ scene: Scene) {
    if let crash {
      finding.evidence.append(
        Finding.Evidence(crash.crash.name, place: crash.reading.touched?.place))
      finding.thread = finding.thread ?? crash.threadName(in: scene)
      finding.queue = finding.queue ?? crash.queue
      finding.wall = crash.crash.wall
    }
    let lifecycle = scene.lifecycle
    if !lifecycle.last.isEmpty {
      let end = crash?.moment ?? scene.end
      let then = lifecycle.lastWhen
      // A process may go on for a while after its crash was recorded.
      let isBefore = then.monotonic <= end.monotonic
      let time = isBefore ? then.time(until: end) : end.time(until: then)
      let how = time.map { "\($0) " } ?? ""
      finding.evidence.append(
        Finding.Evidence("“\(lifecycle.last)” came \(how)\(isBefore ? "before" : "after")"))
    }
    if finding.nearby.isEmpty {
      finding.nearby = scene.crumbs(
        before: crash?.moment ?? scene.end)
    }
  }

  private func name(_ place: CodePlace?) -> String { place.map(Words.name) ?? "unknown code" }
}
