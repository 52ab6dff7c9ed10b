import IncidentModel

/// Finds the cause of a process's death, and the events on threads and queues that are linked to
/// it.
final class CrashCause: Rule {
  static let about = RuleDescription(
    id: "crash-cause", severity: .error, title: "The cause of the death of the process",
    firesWhen: """
      The process crashed. The finding names the kind of death, its message, and the line to open. \
      It names threads and queues only by a link in the record: the check itself failed, the \
      message claims it, a function on the crash's own stack was recorded with a violation, or \
      memory was damaged while a second thread was in the same function. Other events are listed \
      as “also seen”.
      """,
    cause: "The evidence states the cause; the rules about the same code explain more.",
    evidence: """
      The message and the stack of the crash, the stacks of the other threads, earlier violations, \
      the last lifecycle transition, open background tasks.
      """,
    fix: "The fix for this kind of death, or the fix for the recorded link.",
    triggers: "queue.async { uiWork(\"layout\") { board.layOut() } }  // and dies of it",
    spares: "exit(0)")

  let interest = Interest(.violation, .error)

  /// A violation that may turn out to be linked to the crash.
  private struct Suspect {
    /// The work without its origins: a callback with the same message and stack may have another
    /// origin.
    var work: MisplacedWork
    var origins: [MisplacedWork.Origin]
    var moment: Moment
    var thread: Int
    var queue: String?

    var monotonic: UInt64 { moment.monotonic }
  }

  private var violations = LastViolations()
  private var last: Suspect?
  /// The start of the first of two overlapping accesses to one variable, from the runtime's
  /// message.
  private var firstAccess: (thread: Int, began: MisplacedWork.Origin, moment: Moment)?
  /// The work of violations with the same message and stack.
  private var works: [Int: MisplacedWork] = [:]
  /// The last violation of each thread: a failing check records a violation before it ends the
  /// process.
  private var byThread: [Int: Suspect] = [:]
  /// The last violation by function: the function that broke its affinity, and the culprit that led
  /// there.
  private var byFunction: [String: Suspect] = [:]

  func observe(_ event: Event, in run: RunState) {
    guard event.kind == .violation else { return noteAccess(event) }
    violations.observe(event, in: run)
    guard event.isCertain else { return }
    let key = FindingKey("", event.messageBytes.contentHash, event.addresses.contentHash).identity
    if works.count >= 1024 { works.removeAll() }
    guard let work = works[key] ?? MisplacedWork(anywhere: event, in: run) else { return }
    works[key] = work
    let suspect = Suspect(
      work: work, origins: MisplacedWork.origins(of: event), moment: event.moment,
      thread: event.thread, queue: event.queue?.label)
    if byThread.count >= 256 { byThread.removeAll() }
    byThread[event.thread] = suspect
    if byFunction.count >= 1024 { byFunction.removeAll() }
    for place in [work.touched, work.culprit].compactMap(\.self) where !place.function.isEmpty {
      byFunction[place.function] = suspect
    }
    last = suspect
  }

  private func noteAccess(_ event: Event) {
    guard event.category == "swift-runtime", let began = MisplacedWork.origins(of: event).first
    else { return }
    firstAccess = (event.thread, began, event.moment)
  }

  func finish(in run: EndedRun) {
    guard let crash = run.crash else { return }
    // SyncDeadlock reports threads that wait for each other.
    if run.deadlock != nil { return }
    run.report(FindingKey(Self.about.id)) {
      if let story = crash.lateCommit(in: run) { return lateCommit(story, crash, run) }
      let home = crash.isIsolationTrap ? FailedCheck(crash, said: nil).home : last?.work.home
      if let change = UnseenChange(crash, home, in: run) { return unseen(change, crash, run) }
      return crash.isIsolationTrap
        ? check(crash, run) : death(crash, linked(to: crash), run)
    }
  }

  /// The violation in a function on the stack of the crash; nil for work of the main queue if the thread
  /// crashed on that queue.
  private func linked(to crash: CrashReading) -> Suspect? {
    let isOnMain = crash.crash.thread?.onMain == .yes
    let thread = crash.crash.thread?.ordinal
    return crash.reading.links.lazy.compactMap { [byFunction] link -> Suspect? in
      let function = link.frame.place.function
      guard let suspect = byFunction[function], !isOnMain || suspect.work.home != .main else {
        return nil
      }
      // A function that only led to the violation also makes other calls: its violation counts only
      // on the same thread.
      return suspect.work.touched?.function == function || suspect.thread == thread ? suspect : nil
    }.first
  }

  // MARK: Failed checks

  private func check(_ crash: CrashReading, _ run: RunState) -> Finding {
    let said = violations.said(by: crash)
    let check = FailedCheck(crash, said: said?.expected)
    let own = said.flatMap { _ in crash.crash.thread?.ordinal }.flatMap { byThread[$0] }
      .flatMap { $0.monotonic == said?.when ? $0 : nil }
    // Without symbols on the stack, use the place of the check in the violation.
    let isNamed = crash.reading.culprit?.isNamed ?? false
    let witness = WitnessTrap(crash.reading.touched?.place)
    let culprit =
      witness?.place ?? (isNamed ? crash.culprit : own?.work.culprit ?? said?.site ?? crash.culprit)
    var finding = base(
      crash.handedOver(expecting: check)
        ?? death(in: check.home == .main ? "a check of \(crash.mainWords)" : check.name, run)
        + ": \(name(culprit)) ran on \(crash.queueName)",
      identity: culprit == nil ? "check \(crash.identity)" : "check", culprit: culprit)
    finding.fix = witness?.fix(check.home) ?? Fixes.hop(crash, culprit: culprit, check)
    finding.cause = own.map { steps($0, run) } ?? steps(crash, run).map(WitnessTrap.told)
    // If the crash's message contains the check, the check is the last step, not a piece of work.
    if let own, crash.crash.text.contains(own.work.api),
      let last = finding.cause.indices.last
    {
      finding.cause[last].text = "failed the check “\(own.work.api)”"
    }
    finding.evidence += IsolationTrap.whyChecked(crash)
    if let promise = crash.reading.promise { finding.evidence.append(promise) }
    finding.evidence.append(
      Finding.Evidence(
        "the check itself failed",
        place: crash.reading.check?.place
          ?? crash.handover.flatMap { _ in
            crash.isCheckOwn ? crash.reading.touched?.place : nil
          }))
    if !crash.crash.text.isEmpty {
      finding.evidence.append(Finding.Evidence(run.tidied(crash.crash.text)))
    }
    finish(&finding, crash, run)
    return finding
  }

  // MARK: Late commits and unseen changes

  private func lateCommit(
    _ story: LateCommitStory, _ crash: CrashReading, _ run: RunState
  ) -> Finding {
    var finding = base(
      story.title(", and the process died there"), identity: story.identity, culprit: nil)
    finding.defect = LateCommitStory.defect
    finding.fix = LateCommitStory.fix(run.lifecycle)
    if !crash.crash.text.isEmpty { finding.evidence.append(Finding.Evidence(crash.crash.text)) }
    finding.evidence += story.evidence(crash, run.crumbs(before: crash.moment), in: run)
    finish(&finding, crash, run)
    return finding
  }

  private func unseen(_ change: UnseenChange, _ crash: CrashReading, _ run: RunState) -> Finding {
    var finding = base(change.title, identity: "unseen \(crash.identity)", culprit: nil)
    finding.defect = UnseenChange.defect
    finding.fix = change.fix
    if !crash.crash.text.isEmpty { finding.evidence.append(Finding.Evidence(crash.crash.text)) }
    finding.evidence += change.evidence(crash, run.crumbs(before: crash.moment), in: run)
    finish(&finding, crash, run)
    return finding
  }

  private func death(in check: String, _ run: RunState) -> String {
    run.source.signs.isSurvived
      ? DisplayText.capitalized(check.replacing("a check", with: "A check")) + " failed"
      : "The process died in \(check)"
  }

  // MARK: Other deaths

  private func death(_ crash: CrashReading, _ linked: Suspect?, _ run: EndedRun) -> Finding {
    var death = Death(crash, wasAskedFor: crash.wasAskedFor(in: run))
    death.isWhileExiting = run.lifecycle.hasExited || crash.isInExit
    // A death with a message has its own culprit. If the message mentions the main thread, or if
    // only a signal is known, the linked violation determines the culprit. A report's statement
    // about off-main work concerns this death.
    let isLed =
      death.kind != .sent && (!death.isSaid || death.claimsOffMain || run.source.isForeignReport)
    let led = isLed ? linked : nil
    let claimed = death.claimsOffMain ? crash.callback : nil
    let recursion = death.kind == .stackOverflow ? Recursion(crash) : nil
    let culprit =
      led?.work.culprit ?? death.place(in: crash) ?? recursion?.call ?? crash.culprit
    let party = (death.place(in: crash) ?? crash.culprit).flatMap {
      SourceParty(death, at: $0, through: crash.reading.links)
    }
    var finding = base(
      headline(death, crash, at: recursion?.call),
      identity: death.kind.rawValue + (culprit == nil ? " \(crash.identity)" : ""), culprit: culprit
    )
    if death.kind == .sent { finding.severity = .note }
    finding.cause = led.map { steps($0, run) } ?? steps(crash, run)
    let twice = death.kind == .continuationResumedTwice ? ResumedTwice(crash) : nil
    finding.fix =
      party?.fix.map { Finding.Fix($0) } ?? run.reentrancy?.fix ?? fix(death, twice, crash)
    if !death.kind.isCheck, let claim = death.claim {
      finding.evidence.append(Finding.Evidence("the crash message is about \(claim)"))
    }
    if death.kind.isCheck { finding.evidence.append(Finding.Evidence("the check itself failed")) }
    if death.kind == .exclusivity, let access = firstAccess,
      access.thread == crash.crash.thread?.ordinal
    {
      let began = access.began.sent(access.moment.monotonic, in: run)
      finding.evidence.append(Finding.Evidence(began.text, place: began.sender))
    }
    if let linked {
      finding.evidence.append(link(linked, run))
      finding.api = linked.work.api
    }
    if let led {
      finding.fix = fix(led, run)
      if death.claimsOffMain, crash.isCheckOwn, let touched = crash.reading.touched,
        touched.isNamed
      {
        finding.fix.text += " Keep the check in \(touched.place.function): it caught a real bug."
      }
    } else if let claimed {
      finding.fix = Fixes.hop(crash.reading, culprit: claimed)
    }
    let beside = crash.secondThread(in: run, after: death)
    if let beside {
      if led == nil, party?.fix == nil { finding.fix = ConcurrentAccess.fix(beside) }
      finding.evidence.append(
        Finding.Evidence(
          "a race, judging by the stacks: \(beside.thread.name(in: run)) was in the same function at that moment",
          place: beside.stood))
    } else if let near = crash.threadInSameType(in: run, after: death) {
      finding.evidence.append(near)
    }
    finding.evidence += party?.evidence ?? []
    finding.evidence += run.reentrancy?.evidence ?? []
    finding.evidence += twice?.evidence ?? recursion?.evidence ?? []
    if beside == nil, party == nil, death.kind == .badAccess, let freed = FreedObject(crash) {
      finding.evidence.append(freed.evidence)
    }
    if death.isOfItsCall, beside == nil { finding.call = crash.call }
    let isLinked = linked != nil || beside != nil || death.claim != nil || death.kind.isCheck
    if !isLinked, death.kind != .sent {
      finding.evidence.append(
        Finding.Evidence("no link between this crash and queues was recorded", isDetail: true))
    }
    finish(&finding, crash, run)
    if death.kind == .sent {
      finding.evidence += CauseStory.ownWords(run, at: crash.moment.monotonic)
    }
    finding.evidence += alsoSeen(crash, besides: linked, run)
    return finding
  }

  /// Returns the advice for the kind of death; empty if the kind has none.
  private func fix(_ death: Death, _ twice: ResumedTwice?, _ crash: CrashReading) -> Finding.Fix {
    if death.isOutOfFiles { return Finding.Fix(Self.openFiles) }
    switch death.kind {
    case .eventLoopCheck: return HomeFix(.eventLoop(""), crash.reading).fix
    case .continuationResumedTwice: return Finding.Fix(twice?.fix ?? "")
    case .stackOverflow: return Finding.Fix(Recursion(crash)?.fix ?? "")
    default:
      let place = (death.place(in: crash) ?? crash.culprit).map { SourceLine.added(to: $0) }
      let advice = death.advice(
        for: place?.source, in: place?.header, of: place?.function ?? "")
      let isOfDamage = death.kind == .badAccess && place?.file?.hasSuffix(".swift") == true
      return Finding.Fix(advice.isEmpty && isOfDamage ? Self.sanitizers : advice)
    }
  }

  private static let openFiles =
    "Find the files or sockets that are not closed: list /proc/PID/fd of a running process, and look for code that "
    + "opens one and returns early or throws before it closes it. To catch this error hides the leak."

  private static let sanitizers =
    "Repeat this with a build by “swift build --sanitize=thread”, and if that reports nothing, by "
    + "“swift build --sanitize=address”. They stop at the access that damages the memory."

  /// Returns the title of the finding.
  ///
  /// - Parameter place: The culprit if it differs from the crashed function; else nil.
  private func headline(
    _ death: Death, _ crash: CrashReading, at place: CodePlace? = nil
  ) -> String {
    var name = death.heading(of: crash.crash)
    if death.isOutOfFiles {
      name = "Too many files were open: " + name.prefix(1).lowercased() + name.dropFirst()
    }
    if death.kind == .sent {
      let sender = crash.crash.sender.map { " by process \($0.process)" } ?? ""
      return "\(name) was sent to the process\(sender)"
    }
    let source = crash.crash.text.isEmpty ? crash.culprit?.source : nil
    let isDump = death.isOutOfFiles && death.kind == .uncaughtError
    let message = isDump ? "" : death.shortMessage + death.message(in: source)
    let place =
      (place ?? death.place(in: crash) ?? crash.culprit).map { " in \(DisplayText.name($0))" }
      ?? (crash.isKilled ? "" : ", with no code of the program's own on the stack")
    return name + place + (message.isEmpty ? "" : ": \(message)")
  }

  private func link(_ suspect: Suspect, _ run: RunState) -> Finding.Evidence {
    // Only Apple's platforms and Dispatch have queues.
    let isOfQueues = suspect.work.touched.map { CodeLanguage($0)?.isOfSwift ?? false } ?? true
    let untold = isOfQueues || suspect.queue != nil ? nil : run.thread(suspect.thread)
    let queue = untold ?? run.queueName(suspect.queue)
    let home = suspect.work.home
    let main = isOfQueues ? "the main queue" : "the main thread"
    let off = home == .main ? "off \(main), on \(queue)" : "on \(queue), off \(home.words)"
    return Finding.Evidence(
      "on this crash's stack, “\(suspect.work.api)” was recorded \(off)",
      place: suspect.work.touched)
  }

  private func fix(_ suspect: Suspect, _ run: RunState) -> Finding.Fix {
    let lifecycle = run.lifecycle
    let isInBackground =
      lifecycle.phase == .background && lifecycle.since.monotonic <= suspect.monotonic
    let work = work(of: suspect, run)
    return isInBackground ? Fixes.hopInBackground(work) : Fixes.hop(work)
  }

  /// Earlier events without a recorded link to the crash.
  private func alsoSeen(
    _ crash: CrashReading, besides linked: Suspect?, _ run: RunState
  ) -> [Finding.Evidence] {
    var seen: [Finding.Evidence] = []
    if let last, linked == nil {
      let ago = last.moment.time(until: crash.moment).map { ", \($0) before" } ?? ""
      seen.append(
        Finding.Evidence(
          "also seen: “\(last.work.api)” ran off \(last.work.home.words)\(ago)",
          place: last.work.touched, isDetail: !run.source.isForeignReport))
    }
    if run.lifecycle.phase == .background {
      seen += run.tasks.inOrder.map { task in
        Finding.Evidence("also seen: background task “\(task.name)” was open", place: task.place)
      }
    }
    return seen
  }

  private func steps(_ suspect: Suspect, _ run: RunState) -> [Finding.Step] {
    CauseChain.steps(
      work(of: suspect, run), at: suspect.moment, run.thread(suspect.thread),
      queue: suspect.queue, run)
  }

  private func work(of suspect: Suspect, _ run: RunState) -> MisplacedWork {
    var work = suspect.work
    work.origins = suspect.origins.map { $0.sent(suspect.monotonic, in: run) }
    return work
  }

  /// Returns the steps of the crash's own stack, outermost first, after its async callers.
  private func steps(_ crash: CrashReading, _ run: RunState) -> [Finding.Step] {
    let thread = crash.thread(in: run)
    return crash.reading.awaited(on: thread, queue: crash.queue)
      + crash.reading.links.prefix(6).reversed().map { link in
        Finding.Step("ran", thread: thread, queue: crash.queue, place: link.frame.place)
      }
  }

  // MARK: Assembly

  private func base(_ title: String, identity: String, culprit: CodePlace?) -> Finding {
    Finding(
      rule: Self.about.id, severity: Self.about.severity, title: title, culprit: culprit, api: nil,
      fix: Finding.Fix(""), identity: identity,
      defect: culprit.map { "\($0.module) \($0.function)" } ?? "crash")
  }

  private func finish(_ finding: inout Finding, _ crash: CrashReading, _ run: RunState) {
    finding.evidence.append(
      Finding.Evidence(
        crash.crash.cause(in: run.source.process?.id), place: crash.reading.touched?.place,
        isDetail: true))
    if let task = crash.crash.task {
      finding.evidence.append(Finding.Evidence("in \(task.words)", isDetail: true))
      if let name = task.name { finding.evidence.append(Finding.Evidence("in the task “\(name)”")) }
    }
    if let context = crash.crash.contextWords {
      finding.evidence.append(
        Finding.Evidence(context, isDetail: run.openWork.isOfRequest(crash.crash)))
    }
    finding.tell(of: crash, in: run)
    if let requests = run.openWork.requests(at: crash.moment.monotonic) {
      finding.evidence.append(requests)
    }
    finding.evidence += waiting(crash, run)
    let lifecycle = run.lifecycle
    if !lifecycle.last.isEmpty {
      let then = lifecycle.lastWhen
      // A process may continue for a while after its crash was recorded.
      let isBefore = then.monotonic <= crash.moment.monotonic
      let time = isBefore ? then.time(until: crash.moment) : crash.moment.time(until: then)
      let how = time.map { "\($0) " } ?? ""
      finding.evidence.append(
        Finding.Evidence(
          "“\(lifecycle.last)” came \(how)\(isBefore ? "before" : "after")",
          isDetail: LifecycleStep(lifecycle.last).map {
            $0.isOfEveryRun || $0 == .didReceiveMemoryWarning
          } ?? false))
    }
  }

  /// Returns evidence about the places where most tasks waited. Tasks that sleep or wait for the next
  /// element of a sequence are omitted, because such a wait is the rule.
  private func waiting(_ crash: CrashReading, _ run: RunState) -> [Finding.Evidence] {
    guard let waiting = crash.crash.waiting else { return [] }
    let places = waiting.places.lazy.map { place in
      (place, run.read(run.frames(of: place.stack, when: crash.crash.monotonic)))
    }
    let busy = places.filter { !$0.1.isIdle }.prefix(3).map { place, reading in
      Finding.Evidence(
        "also seen: \(place.words)", place: reading.awaiting.first?.frame.place, isDetail: true)
    }
    return busy + (waiting.gap.map { [Finding.Evidence($0, isDetail: true)] } ?? [])
  }

  private func name(_ place: CodePlace?) -> String { place.map(DisplayText.name) ?? "unknown code" }
}
