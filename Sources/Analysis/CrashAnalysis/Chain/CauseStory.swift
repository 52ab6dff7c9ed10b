import IncidentModel

/// Writes a cause as one finding: the cause, its effects, and the end of the run.
struct CauseStory {
  private let draft: PendingFinding
  private let merged: [Finding]
  private let end: Finding?
  private let run: EndedRun

  init(_ draft: PendingFinding, _ merged: [Finding], end: Finding?, in run: EndedRun) {
    self.draft = draft
    self.merged = merged
    self.end = end
    self.run = run
  }

  /// Returns the merged finding.
  ///
  /// - Parameter isOwner: True if the cause led to the end of the run.
  func finding(isOwner: Bool) -> Finding {
    var finding = draft.finding
    let others = merged + (end.map { [$0] } ?? [])
    // Otherwise a probable cause, which is a warning, would turn an error into a warning.
    finding.severity = others.map(\.severity).reduce(finding.severity, max)
    let links = [cause] + effects + (isOwner ? ending : [])
    finding.title = Self.title(links)
    finding.chain = links
    finding.evidence += more(isOwner)
    // The steps of a deadlock are complete; merged findings add none.
    for other in finding.identity == "queues" ? [] : merged {
      let fresh = other.cause.filter { step in
        !finding.cause.contains { $0.place?.function == step.place?.function }
      }
      for step in fresh {
        // Each thread appears in one place: insert the new step before the thread's known step.
        let place = finding.cause.firstIndex { $0.thread == step.thread && $0.text != Self.way }
        finding.cause.insert(step, at: place ?? finding.cause.count)
      }
    }
    finding.merged = others.isEmpty ? nil : others.map(Finding.Merged.init)
    return finding
  }

  /// The text of a step whose function only leads to the next step.
  private static let way = "ran"

  static func title(_ links: [Finding.ChainLink]) -> String {
    links.dropFirst().reduce(links.first?.text ?? "") { title, link in
      title + (link.part == .afterwards ? "; then " : " → ") + link.text
    }
  }

  // MARK: Cause

  private var cause: Finding.ChainLink {
    let finding = draft.finding
    return Finding.ChainLink(.cause, causeText, wall: finding.wall, place: finding.culprit)
  }

  private var causeText: String {
    let finding = draft.finding
    guard finding.rule == LeakedContinuation.about.id else { return finding.title }
    let name = DisplayText.capitalized(loser.map(DisplayText.name) ?? finding.identity)
    guard finding.title.hasPrefix("\(finding.identity) replaced ") else {
      return "\(name) dropped its continuation"
    }
    return name + finding.title.dropFirst(finding.identity.count)
  }

  /// The place where tasks wait for the lost continuation; without a list of tasks, the function
  /// that the runtime's message names.
  private var loser: CodePlace? {
    if let waiting = run.continuationWaits.first(where: isLoser) { return waiting }
    guard let culprit = draft.finding.culprit, !culprit.function.isEmpty else { return nil }
    var place = SourceLine.added(to: culprit)
    place.function = FunctionName(culprit.function).written
    return isLoser(place) ? place : nil
  }

  /// True if a place is in the function that lost the continuation.
  private func isLoser(_ place: CodePlace) -> Bool {
    let name = draft.finding.identity
    return place.name == name || place.name.hasSuffix("." + name)
  }

  // MARK: Effects

  private var effects: [Finding.ChainLink] {
    var effects: [String] = []
    if let requests = OpenWork.effect(on: stuck, isNow: run.isRunning) { effects.append(requests) }
    if run.isAskedInVain, run.takesAsk, waitsForIt {
      effects.append(Self.heldShutdown(run))
    } else if run.isAskedInVain, run.takesAsk, run.crash == nil, isLinkedToEnd {
      effects.append(run.isRunning ? "the shutdown has not ended" : "the shutdown did not end")
    }
    return effects.map { Finding.ChainLink(.effect, $0) }
  }

  /// The effect on a shutdown that needs the end of the cause.
  private static func heldShutdown(_ run: EndedRun) -> String {
    run.isRunning ? "the shutdown has to wait" : "the shutdown had to wait"
  }

  /// The requests that the cause certainly keeps from being answered.
  private var stuck: [OpenWork.Request] {
    switch draft.finding.rule {
    case LeakedContinuation.about.id: lostRequests
    case PoolBlocked.about.id: Array(run.openWork.requests.values)
    case SyncDeadlock.about.id
    where draft.finding.identity == "pool" || merged.contains { $0.rule == PoolBlocked.about.id }:
      Array(run.openWork.requests.values)
    default: []
    }
  }

  /// The requests in which the continuation was lost. The list is empty if a timer or queue,
  /// outside any request, lost the continuation; then the result is all requests in flight, if as
  /// many of their tasks wait in that function.
  private var lostRequests: [OpenWork.Request] {
    let known = run.openWork.requests(losing: draft.finding.identity)
    let open = run.openWork.requests
    if !known.isEmpty || open.isEmpty { return known }
    if isOnlyLoss, open.count == run.openWork.losses { return Array(open.values) }
    return run.tasksOfRequests(waitingIn: isLoser) == open.count ? Array(open.values) : []
  }

  /// True if the record shows that the shutdown waited for the cause.
  private var waitsForIt: Bool {
    if !stuck.isEmpty { return true }
    let shutdown = HeldShutdown(in: run)
    return shutdown.holder.map { draft.finding.names($0.place) } ?? false || isOnlyLoss
  }

  /// True if the run lost exactly one continuation, and the only task that held the shutdown waits
  /// for that continuation.
  private var isOnlyLoss: Bool {
    draft.finding.rule == LeakedContinuation.about.id && HeldShutdown(in: run).isOfOnlyLoss(in: run)
  }

  // MARK: End

  private var ending: [Finding.ChainLink] {
    guard run.manner.kind == .exited, let end else {
      return Self.ending(run, isLinked: isLinkedToEnd)
    }
    // The title names the caller of `exit`.
    let text = end.title.prefix(1).lowercased() + end.title.dropFirst()
    return [
      Finding.ChainLink(.afterwards, text, wall: Self.wall(run), place: end.culprit)
    ]
  }

  /// True if this cause led to the end: the shutdown waited for the cause, or the process was
  /// killed while it hung there.
  private var isLinkedToEnd: Bool {
    switch run.manner.kind {
    case .hang: Self.isHang(of: [draft.finding] + merged, in: run)
    case .asked where run.takesAsk && run.crash == nil, .running where run.isLateToEnd:
      waitsForIt || Self.isHang(of: [draft.finding] + merged, in: run)
    default: true
    }
  }

  /// True if one of the findings describes the hang during which the run ended.
  static func isHang(of findings: [Finding], in run: EndedRun) -> Bool {
    guard let hang = run.hang else { return false }
    let place = run.read(hang.frames).touched?.place
    return findings.contains { finding in
      finding.rule == hang.executor.kind.rule || place.map(finding.names) ?? false
    }
  }

  /// Returns the last link of the chain.
  ///
  /// - Parameter isLinked: True if the cause is known to have led to the end; otherwise the end
  ///   only followed.
  static func ending(_ run: EndedRun, isLinked: Bool = true) -> [Finding.ChainLink] {
    let text: String? =
      switch run.manner.kind {
      case .asked where run.crash != nil: "ended by \(run.manner.teller)"
      case .asked where run.takesAsk: "killed \(afterAsk(run))"
      case .asked: "ended by \(run.manner.teller)"
      case .hang: "killed"
      case .running where run.isLateToEnd: "still running \(afterAsk(run))"
      default: nil
      }
    if let text {
      return [Finding.ChainLink(isLinked ? .end : .afterwards, text, wall: wall(run))]
    }
    guard [.silent, .reboot].contains(run.manner.kind) else { return [] }
    return [Finding.ChainLink(.afterwards, silentEnd(run), wall: wall(run))]
  }

  /// The end of a process that was killed after a signal that only the program's crumbs mention.
  static func silentEnd(_ run: EndedRun) -> String {
    guard let signal = run.ownSignal, signal.moment.monotonic < run.lastSign else {
      return "the process \(run.manner.words)"
    }
    return "the process received \(signal.name), did not exit, and \(run.manner.words)"
  }

  private static func wall(_ run: EndedRun) -> UInt64 {
    run.crash?.crash.wall ?? max(run.lastWall, run.source.signs.aliveWall ?? 0)
  }

  private static func afterAsk(_ run: EndedRun) -> String {
    let asked = run.askedToEnd ?? run.lastSign
    let signal = run.lifecycle.toldBy.prefix { $0 != " " }
    let after = run.lastSign - min(asked, run.lastSign)
    let time = after < 1_000_000 ? "right" : TimeSpan.text(nanoseconds: after)
    let ask = run.isHeldByServices ? "the request to end" : "it began to end"
    return "\(time) after \(signal.isEmpty ? ask : String(signal))"
  }

  // MARK: Evidence

  private func more(_ isOwner: Bool) -> [Finding.Evidence] {
    var more: [Finding.Evidence] = []
    if let others { more.append(others) }
    let known = draft.finding.evidence
    // Evidence of the end about requests, services and memory also applies to its cause.
    more += (end?.evidence ?? []).filter { fact in
      !known.contains { $0.text == fact.text }
        && !(fact.place.map { draft.finding.names($0) } ?? false)
    }
    let moment = run.crash?.moment.monotonic ?? run.lastSign
    if isOwner || !stuck.isEmpty,
      let requests = run.openWork.requests(at: moment, isNow: run.isRunning),
      !more.contains(where: { $0.text == requests.text })
    {
      more.append(requests)
    }
    if isOwner {
      more += Self.ownWords(run, at: moment).filter { fact in
        !more.contains { $0.text == fact.text }
      }
    }
    return more
  }

  /// Returns evidence from the program's crumbs: a signal that requested the exit, and unfinished
  /// work.
  static func ownWords(_ run: EndedRun, at moment: UInt64) -> [Finding.Evidence] {
    var words = run.pairs.evidence(at: moment)
    if run.manner.kind != .asked || run.crash != nil, !run.isLateToEnd, let ask = run.ownAsk,
      ask.moment.monotonic < run.lastSign
    {
      let time = TimeSpan.text(nanoseconds: run.lastSign - ask.moment.monotonic)
      words.insert(
        Finding.Evidence(
          "the program's crumb “\(ask.text)” came \(time) before the last sign of life"),
        at: 0)
    }
    return words
  }

  /// Evidence of how many other tasks waited for the same resource.
  private var others: Finding.Evidence? {
    let finding = draft.finding
    var count = 0
    var what = "in the same function"
    if finding.rule == LeakedContinuation.about.id {
      count = draft.count - 1
    } else if finding.rule == PoolBlocked.about.id || finding.identity == "pool" {
      count = run.waitsAtEnd.filter { $0.kind == .turn && $0.executor == 0 }
        .reduce(0) { $0 + $1.tasks }
      what = "for one of these threads"
    }
    guard count > 0 else { return nil }
    let verb = run.isRunning ? (count == 1 ? "waits" : "wait") : "waited"
    return Finding.Evidence("\(count) other \(count == 1 ? "task" : "tasks") \(verb) \(what)")
  }

  // MARK: Ends without a known cause

  /// Adds cause, effect and end to the finding of a run that was asked to exit and did not.
  static func tellAlone(_ finding: inout Finding, in run: EndedRun) {
    guard finding.rule == UncleanEnd.about.id, run.manner.kind == .asked || run.isLateToEnd,
      run.takesAsk, !run.manner.teller.isEmpty || run.isHeldByServices,
      let end = ending(run).first
    else { return }
    var links: [Finding.ChainLink] = []
    if let held = HeldShutdown(in: run).words {
      links.append(Finding.ChainLink(.cause, held, place: finding.culprit))
      links.append(Finding.ChainLink(.effect, heldShutdown(run)))
    } else {
      let teller = run.manner.teller.isEmpty ? "" : " by \(run.manner.teller)"
      links.append(
        Finding.ChainLink(
          .cause,
          "The process was asked to end\(teller) and \(run.isRunning ? "has not exited" : "did not exit")",
          wall: run.lifecycle.askedWall))
    }
    links.append(end)
    finding.title = title(links)
    finding.chain = links
  }

  /// Returns the chain of a finding whose title is the complete cause, or the effect of a probable
  /// cause.
  static func chain(of finding: Finding, in run: EndedRun) -> [Finding.ChainLink] {
    let probable = finding.rule == CrashCause.about.id ? run.reentrancy : nil
    let cause = probable.map {
      Finding.ChainLink(.cause, $0.cause, place: $0.awaited ?? $0.visits[0].place)
    }
    return [
      cause,
      Finding.ChainLink(
        cause == nil ? .cause : .effect, finding.title, wall: finding.wall, place: finding.culprit),
      Finding.ChainLink(.end, "the process \(run.manner.words)", wall: wall(run)),
    ].compactMap(\.self)
  }
}

extension WatchedKind {
  /// The identifier of the rule that reports this kind of executor as held.
  fileprivate var rule: String {
    switch self {
    case .mainQueue: MainBlocked.about.id
    case .pool: PoolBlocked.about.id
    case .loop: LoopBlocked.about.id
    case .queue, .actor: QueueBlocked.about.id
    }
  }
}
