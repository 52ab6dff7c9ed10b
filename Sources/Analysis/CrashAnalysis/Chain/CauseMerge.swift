import IncidentModel

/// Merges the findings of the rules: all effects of one cause become one finding, with the chain
/// from the cause to the end of the run.
///
/// A cause is a condition that still lasted when the recording ended: a deadlock, a held executor,
/// a lost continuation. Two findings share a cause if one names the function that contains the
/// culprit line of the other.
struct CauseMerge {
  private let run: EndedRun
  private let drafts: [PendingFinding]
  private let end: Int?
  /// The indices of the findings of each cause, the most specific finding first.
  private let causes: [[Int]]

  init(_ run: EndedRun) {
    self.run = run
    drafts = run.drafts
    end = drafts.firstIndex { $0.finding.isOfEnd }
    // A report of another tool describes one moment: its findings are separate views of that
    // moment.
    causes = run.isRecording ? Self.causes(drafts) : []
  }

  /// Replaces each group of findings that share a cause by one merged finding.
  func tell() {
    let owner = ownerOfEnd
    var told: [PendingFinding?] = drafts
    for (place, cause) in causes.enumerated() {
      let isOwner = place == owner
      let merged = cause.dropFirst().map { drafts[$0].finding }
      let ended = isOwner ? end.map { drafts[$0].finding } : nil
      let story = CauseStory(drafts[cause[0]], merged, end: ended, in: run)
      told[cause[0]]?.finding = story.finding(isOwner: isOwner)
      for other in cause.dropFirst() { told[other] = nil }
      if isOwner, let end { told[end] = nil }
    }
    if let end, owner == nil, var draft = told[end] {
      CauseStory.tellAlone(&draft.finding, in: run)
      told[end] = draft
    }
    let all = withoutLinked(told.compactMap(\.self))
    run.tell(
      all.map { draft in
        guard draft.finding.isVerdict else { return draft }
        var draft = draft
        draft.finding.chain = draft.finding.chain ?? CauseStory.chain(of: draft.finding, in: run)
        draft.finding.buildFingerprint = run.buildFingerprint
        draft.finding.alternatives = Alternatives(to: draft, among: all, in: run).list
        return draft
      })
  }

  /// Removes findings of other rules about the violation to which the crash is linked, or about its
  /// probable cause: the crash finding reports them.
  private func withoutLinked(_ told: [PendingFinding]) -> [PendingFinding] {
    guard run.isRecording,
      let lead = told.firstIndex(where: { $0.finding.rule == CrashCause.about.id })
    else { return told }
    let api = told[lead].finding.api
    let linked = told.indices.filter { place in
      let other = told[place].finding
      if other.rule == ActorReentrancy.about.id { return true }
      return place != lead && api != nil && other.api == api && !other.isVerdict
        && other.sharesCause(with: told[lead].finding)
    }
    var told = told
    if !linked.isEmpty {
      told[lead].finding.merged = linked.map { Finding.Merged(told[$0].finding) }
    }
    for place in linked.reversed() { told.remove(at: place) }
    return told
  }

  // MARK: Grouping by cause

  private static func causes(_ drafts: [PendingFinding]) -> [[Int]] {
    var causes: [[Int]] = []
    let standstills = drafts.map(\.finding).filter { $0.rule == SyncDeadlock.about.id }
    let candidates = drafts.indices.filter { place in
      let finding = drafts[place].finding
      // A pool that starts more threads responds again although the two deadlocked threads still
      // wait.
      return finding.isLastingCause
        || finding.isOfHang && standstills.contains { $0.sharesCause(with: finding) }
    }
    .sorted { (drafts[$0].finding.causeRank, $0) < (drafts[$1].finding.causeRank, $1) }
    for candidate in candidates {
      let same = causes.firstIndex { cause in
        cause.contains { drafts[$0].finding.sharesCause(with: drafts[candidate].finding) }
      }
      if let same { causes[same].append(candidate) } else { causes.append([candidate]) }
    }
    return causes
  }

  /// The index of the cause that explains the end: the one that the record links to the end, else
  /// the first; nil if no cause explains the end.
  private var ownerOfEnd: Int? {
    // The kernel ended the run, not the program.
    if run.manner.kind == .memory { return nil }
    let isOfItself = run.ending.isFailure && end == nil && run.manner.kind != .asked
    guard !causes.isEmpty, !isOfItself else { return nil }
    let hang = causes.firstIndex { cause in
      CauseStory.isHang(of: cause.map { drafts[$0].finding }, in: run)
    }
    // A program may exit, and an operator may restart the machine, because of a hang. Other lasting
    // conditions, such as a lost continuation, are no reason.
    if run.ending == .clean || run.manner.kind == .reboot { return end == nil ? nil : hang }
    // If the code that delayed the exit is known, only that code is the cause.
    let shutdown = HeldShutdown(in: run)
    guard let holder = shutdown.holder else { return hang ?? 0 }
    // A task that waits for a thread waits for the code that holds the pool's threads.
    if holder.waitsForThread, let hang { return hang }
    return causes.firstIndex { cause in
      cause.contains { drafts[$0].finding.names(holder.place) }
    }
      ?? causes.firstIndex { cause in
        cause.contains { drafts[$0].finding.rule == LeakedContinuation.about.id }
          && shutdown.isOfOnlyLoss(in: run)
      }
  }
}

extension Finding {
  /// True if the finding describes the end of a run that did not crash by itself.
  fileprivate var isOfEnd: Bool {
    switch rule {
    case UncleanEnd.about.id:
      RunOutcome.Kind(rawValue: identity) != nil || identity.hasPrefix(UncleanEnd.exit)
    case CrashCause.about.id: identity.hasPrefix(Death.Kind.sent.rawValue)
    default: false
    }
  }

  /// True if the finding is a cause that lasted to the end of the run.
  fileprivate var isLastingCause: Bool {
    lastsToEnd && (severity == .error || rule == SyncDeadlock.about.id)
  }

  fileprivate var isOfHang: Bool {
    [MainBlocked.about.id, PoolBlocked.about.id, LoopBlocked.about.id, QueueBlocked.about.id]
      .contains(rule)
  }

  /// The rank of the finding within its cause; the most specific finding has the lowest rank.
  fileprivate var causeRank: Int {
    switch rule {
    case SyncDeadlock.about.id: identity == "pool" ? 1 : 0
    case BlockingCall.about.id: 4
    case LeakedContinuation.about.id: 3
    default: 2
    }
  }

  /// The names of the functions in the finding's culprit and steps.
  var functions: Set<String> {
    let places = ([culprit] + cause.map(\.place)).compactMap(\.self)
    let lost = rule == LeakedContinuation.about.id ? [identity] : []
    return Set((places.flatMap { [$0.function, $0.name] } + lost).filter { !$0.isEmpty })
  }

  /// True if the finding names the function of `place`, by its full name or its last components.
  func names(_ place: CodePlace) -> Bool {
    functions.contains { function in
      [place.function, place.name].contains { $0 == function || $0.hasSuffix("." + function) }
    }
  }

  fileprivate func sharesCause(with other: Finding) -> Bool {
    if defect == other.defect, defect.hasPrefix("lock ") { return true }
    func leads(_ one: Finding, _ other: Finding) -> Bool {
      guard let function = one.culprit?.function, !function.isEmpty else { return false }
      return other.functions.contains(function)
    }
    return leads(self, other) || leads(other, self)
  }
}
