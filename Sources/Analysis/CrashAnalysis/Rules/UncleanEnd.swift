import IncidentModel

/// Finds runs that ended abnormally, and the possible causes.
final class UncleanEnd: Rule {
  static let about = RuleDescription(
    id: "unclean-end", severity: .warning,
    title: "The process ended abruptly",
    firesWhen: """
      A recording neither closed nor recorded a crash, and its process is gone; or the process \
      exited with a status other than 0. The finding states a kill for lack of memory if the log of \
      the next run does: as certain if the kernel counted exactly one more such kill in the control \
      group and no other process of the group can be meant, else as probable. It states a hang if a \
      recorded hang had not ended. Otherwise it states a kill or a call of _exit, which a log does \
      not distinguish, and, without a crash handler, a possible crash. A run that was asked to end \
      counts if a hang was recorded, if the process handles that signal itself, or if a service was \
      asked to end and had not ended; a running process counts if it was asked 5 s ago or earlier, \
      and a run on a machine that restarted counts after the reboot. A report of a hang counts if its stacks do not show \
      the holder of the main thread, and so does a hang that Android, Windows or the Linux kernel \
      reports without stacks.
      """,
    cause: """
      SIGKILL, from the system for lack of memory or after a hang, from a supervisor or from a \
      person; or _exit; or a crash without a crash handler; or the end of the machine.
      """,
    evidence: """
      The ending of the log, the exit status and the stack of the call to exit, the last signs of \
      life, memory and hang crumbs near the end; requests in flight, services that had not ended, \
      and the tasks that waited then.
      """,
    fix: """
      Install the crash handler, so that a crash is distinguishable from a kill; read the logs of \
      the kernel and of the supervisor.
      """,
    triggers: "kill(getpid(), SIGKILL)",
    spares: "exit(0)")

  let interest = Interest(.lifecycle)

  /// The stack and thread of the call of `exit`, if the log has one.
  private var exit: (reading: StackReading, thread: Int)?

  func observe(_ event: Event, in run: RunState) {
    guard LifecycleStep(event.message) == .processExited, event.hasStack else { return }
    exit = (run.reading(of: event), event.thread)
  }

  func finish(in run: EndedRun) {
    if let lasted = run.source.signs.unexplainedHang, run.crash == nil {
      return run.report(FindingKey(Self.about.id)) { unexplainedHang(lasted) }
    }
    if let hang = run.source.signs.toldHang {
      return run.report(FindingKey(Self.about.id)) {
        Finding(
          rule: Self.about.id, severity: .error, title: hang.title,
          culprit: hang.function.map {
            CodePlace(function: $0, module: run.source.process?.executable ?? "")
          },
          api: nil, fix: Finding.Fix(hang.advice), identity: "told hang", defect: "end")
      }
    }
    let manner = run.manner
    if manner.kind == .exited, let status = run.source.signs.exitStatus, status != 0 {
      return run.report(FindingKey(Self.about.id)) { exited(status, run) }
    }
    let isAsked =
      run.ending.isOnRequest && (run.hang != nil || run.takesAsk) || run.isLateToEnd
    guard run.ending.isWordless || isAsked else { return }
    run.report(FindingKey(Self.about.id)) { finding(manner, run) }
  }

  // MARK: Unexplained hangs

  private func unexplainedHang(_ lasted: UInt64) -> Finding {
    let time = lasted > 0 ? " for \(TimeSpan.text(nanoseconds: lasted))" : ""
    return Finding(
      rule: Self.about.id, severity: .error,
      title:
        "The report says that the main thread did not answer\(time); its stacks do not show the cause",
      culprit: nil, api: nil,
      fix: Finding.Fix(
        "Symbolicate the report and read the main thread's stack. If the thread waits for events there, the "
          + "blocking work had ended before the stack was taken."),
      identity: "unexplained hang", defect: "end")
  }

  // MARK: Exits

  /// The prefix of the identity of a finding about an exit.
  static let exit = "exit "

  private func exited(_ status: Int, _ run: EndedRun) -> Finding {
    let culprit = exit?.reading.touched.map { SourceLine.added(to: $0.place) }
    let caller = culprit.map { ", by \(DisplayText.name($0))" } ?? ""
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "The process exited with status \(status)\(caller)", culprit: culprit, api: nil,
      fix: exitFix,
      identity: Self.exit + "\(status)", defect: "end")
    if let exit {
      finding.cause = exit.reading.links.prefix(6).reversed().map { link in
        Finding.Step("ran", thread: run.thread(exit.thread), queue: nil, place: link.frame.place)
      }
    } else {
      finding.evidence.append(Finding.Evidence("the caller of exit was not recorded"))
    }
    finding.nearby = run.crumbs(before: run.end)
    return finding
  }

  /// The advice for a call of `exit` in a function whose caller could have continued.
  private var exitFix: Finding.Fix {
    let links = exit?.reading.links ?? []
    let caller =
      links.first { link in
        links.first.map { $0.frame.place.file != link.frame.place.file } ?? false
      } ?? links.dropFirst().first
    guard let caller, let place = caller.frame.place.shortPosition, let own = links.first else {
      return Finding.Fix("Find out why the program exits here: the status reports a failure.")
    }
    return Finding.Fix(
      "An exit ends the whole process: let \(DisplayText.name(own.frame.place)) return the error, or check "
        + "before the call at \(place).")
  }

  // MARK: Ends without a record

  private func finding(_ manner: RunOutcome, _ run: EndedRun) -> Finding {
    let isVague = [.silent, .reboot].contains(manner.kind)
    let shutdown = HeldShutdown(in: run)
    let hung = holder(manner, run)
    var finding = Finding(
      rule: Self.about.id, severity: isVague ? Self.about.severity : .error,
      title: "The process " + manner.words, culprit: hung ?? shutdown.holder?.place, api: nil,
      fix: hung == nil ? shutdown.fix ?? fix(manner, run) : fix(manner, run),
      identity: (run.isLateToEnd ? .asked : manner.kind).rawValue, defect: "end")
    finding.evidence = certainties(manner, run) + (run.isRunning ? [] : bounds(run))
    if !run.lifecycle.last.isEmpty {
      let since = run.lastMonotonic &- run.lifecycle.lastWhen.monotonic
      let when =
        since == 0
        ? "was the last crumb" : "came \(TimeSpan.text(nanoseconds: since)) before the last crumb"
      finding.evidence.append(
        Finding.Evidence(
          "“\(run.lifecycle.last)” \(when)",
          isDetail: LifecycleStep(run.lifecycle.last).map {
            $0.isOfEveryRun || $0 == .willTerminate
          } ?? false))
    }
    finding.evidence += shutdown.evidence(at: run.lastSign)
    if run.standing.isOfShutdown, run.picture == nil {
      let others = !shutdown.services.isEmpty || !shutdown.waiters.isEmpty
      finding.evidence += run.standing.evidence(in: run, besides: others)
    }
    if let requests = run.openWork.requests(at: run.lastSign, isNow: run.isRunning) {
      finding.evidence.append(requests)
    }
    if manner.kind == .memory {
      finding.evidence += [run.openWork.prevailingRoute].compactMap(\.self)
    }
    finding.evidence += CauseStory.ownWords(run, at: run.lastSign)
    finding.evidence += memory(run)
    if manner.kind == .silent { finding.title = DisplayText.capitalized(CauseStory.silentEnd(run)) }
    if finding.nearby.isEmpty { finding.nearby = run.crumbs(before: run.end) }
    return finding
  }

  /// Returns the place where the executor was held when the hang was recorded.
  private func holder(_ manner: RunOutcome, _ run: EndedRun) -> CodePlace? {
    guard manner.kind == .hang || manner.kind == .asked || run.isLateToEnd, let hang = run.hang
    else { return nil }
    return run.read(hang.frames).touched.map { SourceLine.added(to: $0.place) }
  }

  /// Returns evidence for the kind of ending, with its certainty.
  private func certainties(_ manner: RunOutcome, _ run: EndedRun) -> [Finding.Evidence] {
    let hasHandler = run.source.signs.hasCrashHandler == true
    switch manner.kind {
    case .memory:
      let who =
        manner.certainty == .certain
        ? "the group has no other process" : "the kill may concern another process of the group"
      return [
        Finding.Evidence(
          "\(manner.certainty): the next run found one more such kill in its control group; \(who)")
      ]
    case .hang:
      guard let hang = run.hang else {
        let what = run.source.signs.hanging.map {
          $0 == .mainQueue ? "the main queue" : "one \($0.text)"
        }
        return [
          Finding.Evidence(
            "the log's header says that \(what ?? "a watched executor") did not answer; the code that blocked it was not recorded"
          )
        ]
      }
      return [Finding.Evidence(since(hang, run))]
    case .silent:
      return [
        Finding.Evidence(
          hasHandler
            ? "the crash handler was installed: a crash would have been recorded"
            : "the log shows no crash handler: a crash would not have been recorded",
          isDetail: hasHandler)
      ]
    default: return []
    }
  }

  /// Describes the duration of the hang up to the last sign of life.
  private func since(_ hang: Hang, _ run: EndedRun) -> String {
    let end = run.lastSign
    let begun = hang.monotonic - min(hang.lasted, hang.monotonic)
    let span = TimeSpan.text(nanoseconds: end - min(begun, end))
    return
      "\(hang.executor.words) had not answered for \(span) before the last sign of life of the process"
  }

  /// Returns evidence about the interval in which the process ended.
  private func bounds(_ run: EndedRun) -> [Finding.Evidence] {
    guard let alive = run.source.signs.aliveMonotonic else {
      return [
        Finding.Evidence(
          "the process ended after its last crumb; the time between the two is unknown",
          isDetail: true)
      ]
    }
    let later = alive > run.lastMonotonic ? alive - run.lastMonotonic : 0
    let when =
      later > 0
      ? "\(TimeSpan.text(nanoseconds: later)) after the last crumb" : "no later than the last crumb"
    return [
      Finding.Evidence(
        "the watch thread of the process, which polls at least once a second, last ran \(when): the process "
          + "ended soon afterwards",
        isDetail: true)
    ]
  }

  /// Returns evidence of a memory warning near the end. A warning does not decide the outcome: the
  /// kernel may kill with or without one.
  private func memory(_ run: EndedRun) -> [Finding.Evidence] {
    let near = run.options.thresholds.nearEnd
    let end = run.lastSign
    guard let short = run.lifecycle.shortOfMemory, end &- short < near else { return [] }
    let time = TimeSpan.text(nanoseconds: end &- short)
    return [
      Finding.Evidence("memory ran short \(time) before the last sign of life of the process")
    ]
  }

  private func fix(_ manner: RunOutcome, _ run: EndedRun) -> Finding.Fix {
    switch manner.kind {
    case .memory:
      Finding.Fix(
        "Find the code whose memory grew before the end; the kernel log names the size of the process."
      )
    case .hang,
      .asked where run.hang != nil, .running where run.hang != nil:
      Finding.Fix(
        "Find the code that held \(run.hang?.executor.words ?? "the main queue") when the hang began."
      )
    case .running:
      Finding.Fix(
        "Find what keeps the process from ending: a task, a wait, a loop.")
    case .asked:
      Finding.Fix(
        "Find what kept the process from ending when it was asked to: a task, a wait, a loop.")
    case .reboot:
      Finding.Fix(
        "Find out why the machine restarted: read its log of that boot, or ask its operator.")
    case .silent where run.ownSignal != nil:
      Finding.Fix(
        "Find what kept the process from ending when it was asked to: a task, a wait, a loop.")
    case _
    where run.source.signs.hasCrashHandler == true && run.source.signs.memoryKills == .awaitNextRun:
      Finding.Fix(
        "Start the service again with the same log, in the same control group: its start finds out whether this was for lack of memory. Otherwise read the logs of the kernel, the supervisor and the orchestrator."
      )
    case _ where run.source.signs.hasCrashHandler == true:
      Finding.Fix(
        "Read the logs of the kernel, the supervisor and the orchestrator to find out what ended the process."
      )
    case _ where run.source.signs.isOfCrashscan:
      Finding.Fix(
        "crashscan run records no crashes with these options, or under a sanitizer. To distinguish a crash from a kill, enable core dumps and read the core with crashscan core."
      )
    default:
      Finding.Fix("Install the crash handler, so that a crash can be distinguished from a kill.")
    }
  }
}
