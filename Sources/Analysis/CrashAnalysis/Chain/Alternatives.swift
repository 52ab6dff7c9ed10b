import IncidentModel

/// The alternative causes of a run's end, each with the reason that rules it out.
struct Alternatives {
  private let draft: PendingFinding
  private let all: [PendingFinding]
  private let run: EndedRun

  init(to draft: PendingFinding, among all: [PendingFinding], in run: EndedRun) {
    self.draft = draft
    self.all = all
    self.run = run
  }

  var list: [Finding.Alternative] {
    [crash, deadlock, hang, continuation, waiting, order, memory].compactMap(\.self) + others
  }

  private var finding: Finding { draft.finding }

  private func isOf(_ rules: String...) -> Bool {
    rules.contains(finding.rule) || finding.merged?.contains { rules.contains($0.rule) } == true
  }

  private var crash: Finding.Alternative? {
    let what = "a crash"
    guard let crash = run.crash else {
      let isInstalled = run.source.signs.hasCrashHandler == true
      return Finding.Alternative(
        what,
        isInstalled
          ? "no crash was recorded, and the crash handler was installed"
          : "no crash was recorded, but the log shows no crash handler: a crash would not have been recorded"
      )
    }
    guard crash.wasAskedFor(in: run) else { return nil }
    return Finding.Alternative(
      what, "\(crash.crash.cause(in: run.source.process?.id)): no thread had failed")
  }

  private var deadlock: Finding.Alternative? {
    if isOf(SyncDeadlock.about.id) { return nil }
    let what = "threads that wait for each other"
    guard let crash = run.crash?.crash else {
      return Finding.Alternative(
        what, "no stacks were recorded at the end of the process, only at hangs")
    }
    // The analysis searches for waiting pairs only if no thread had failed.
    guard run.crash?.wasAskedFor(in: run) == true else { return nil }
    let count = crash.otherThreads.count + (crash.thread == nil ? 0 : 1)
    let gaps = crash.isOutOfTime || crash.isListIncomplete ? "; some threads could not be read" : ""
    return Finding.Alternative(
      what, "the stacks (\(count) threads) show no thread that waits for another\(gaps)")
  }

  private var hang: Finding.Alternative? {
    let rules = [
      MainBlocked.about.id, PoolBlocked.about.id, LoopBlocked.about.id, QueueBlocked.about.id,
    ]
    let isIt = rules.contains { isOf($0) } || run.hang != nil && isOf(SyncDeadlock.about.id)
    if isIt { return nil }
    let what = "a hang"
    if let hang = run.hang {
      return Finding.Alternative(
        what, "\(hang.executor.words) did not answer, which another finding reports")
    }
    let ended = all.contains { rules.contains($0.finding.rule) }
    return Finding.Alternative(
      what, ended ? "every recorded hang ended before the process did" : "no hang was recorded")
  }

  private var continuation: Finding.Alternative? {
    if isOf(LeakedContinuation.about.id) { return nil }
    let what = "a lost continuation"
    let count = run.openWork.losses
    return Finding.Alternative(
      what,
      count == 0
        ? "the runtime reported no lost continuation; it never reports unsafe continuations"
        : "lost continuations that the runtime reported: \(count); no record links them to this end"
    )
  }

  private var waiting: Finding.Alternative? {
    let what = "a task that waited"
    guard run.crash?.crash.waiting != nil || run.waits.monotonic > 0 else {
      return Finding.Alternative(
        what, "waiting tasks were not recorded (see CrashOptions.waitingTasksTimeLimit)")
    }
    let waiting = run.waitsAtEnd.reduce(0) { $0 + $1.tasks }
    if waiting == 0 { return Finding.Alternative(what, "no task waited") }
    return Finding.Alternative(
      what, "tasks that waited: \(waiting); a waiting task is no fault by itself")
  }

  private var order: Finding.Alternative? {
    guard run.manner.kind != .asked else { return nil }
    return Finding.Alternative("a request to end", "no termination signal was recorded")
  }

  private var memory: Finding.Alternative? {
    guard run.manner.kind != .memory else { return nil }
    let what = "lack of memory"
    if [.silent, .hang].contains(run.manner.kind) {
      switch run.source.signs.memoryKills {
      case .none:
        return Finding.Alternative(
          what, "the next run found no such kill in its control group")
      case .awaitNextRun:
        return Finding.Alternative(
          what,
          "not ruled out: the next run with this log will compare the counts of such kills in its control group"
        )
      case .unknown: break
      }
    }
    guard let short = run.lifecycle.shortOfMemory else {
      let isKilled = [.silent, .hang, .asked].contains(run.manner.kind)
      let rest = isKilled ? "; the kernel log names each process that the kernel kills" : ""
      return Finding.Alternative(what, "no memory warning was recorded" + rest)
    }
    let time = TimeSpan.text(nanoseconds: run.lastSign &- min(short, run.lastSign))
    return Finding.Alternative(
      what,
      "a memory warning was recorded \(time) before the end, which is no proof: the kernel log names each "
        + "process that the kernel kills"
    )
  }

  /// The other findings of the run.
  private var others: [Finding.Alternative] {
    all.filter { $0.fingerprint != draft.fingerprint }.map(\.finding).prefix(8).map { other in
      let why =
        if other.lastsToEnd {
          "lasted to the end, but shares no function with this finding"
        } else if other.defect == finding.defect, !other.defect.isEmpty {
          "is about the same code"
        } else {
          "no link to this end was recorded: the run continued after that finding"
        }
      return Finding.Alternative("\(other.rule): \(other.title)", why)
    }
  }
}
