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
    let what = "a crash of its own"
    guard let crash = run.crash else {
      let isInstalled = run.source.signs.hasCrashHandler == true
      return Finding.Alternative(
        what,
        isInstalled
          ? "none is on file, and the crash handler was installed"
          : "none is on file; no crash handler is known to have been installed, so one would leave nothing"
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
        what, "the stacks of the end were not recorded: only those of hangs")
    }
    // The analysis searches for waiting pairs only if no thread had failed.
    guard run.crash?.wasAskedFor(in: run) == true else { return nil }
    let count = crash.otherThreads.count + (crash.thread == nil ? 0 : 1)
    let gaps = crash.isOutOfTime || crash.isListIncomplete ? "; not all could be read" : ""
    return Finding.Alternative(
      what, "on the stacks of \(count) threads no wait of one for another is to be seen\(gaps)")
  }

  private var hang: Finding.Alternative? {
    let rules = [
      MainBlocked.about.id, PoolBlocked.about.id, LoopBlocked.about.id, QueueBlocked.about.id,
    ]
    let isIt = rules.contains { isOf($0) } || run.hang != nil && isOf(SyncDeadlock.about.id)
    if isIt { return nil }
    let what = "something watched that did not answer"
    if let hang = run.hang {
      return Finding.Alternative(
        what, "\(hang.executor.words) did not, which is a finding of its own")
    }
    let ended = all.contains { rules.contains($0.finding.rule) }
    return Finding.Alternative(
      what, ended ? "what hung answered again before the end" : "no hang was recorded")
  }

  private var continuation: Finding.Alternative? {
    if isOf(LeakedContinuation.about.id) { return nil }
    let what = "a continuation that was lost"
    let count = run.openWork.losses
    return Finding.Alternative(
      what,
      count == 0
        ? "the runtime told of none; of an unsafe continuation it never does"
        : "the runtime told of \(count), which nothing ties to this end")
  }

  private var waiting: Finding.Alternative? {
    let what = "a task that waited"
    guard run.crash?.crash.waiting != nil || run.waits.monotonic > 0 else {
      return Finding.Alternative(
        what, "waiting tasks were not listed (CrashOptions.recordsWaitingTasks)")
    }
    let own = run.waitsAtEnd.filter { !$0.isLoop }.reduce(0) { $0 + $1.tasks }
    if run.waitsAtEnd.isEmpty { return Finding.Alternative(what, "no task waited") }
    return Finding.Alternative(
      what,
      own == 0
        ? "those listed had waited there before: loops, whose work it is to wait"
        : "\(own) waited, not counting loops; that a task waits is no fault by itself")
  }

  private var order: Finding.Alternative? {
    guard run.manner.kind != .asked else { return nil }
    return Finding.Alternative("an order to end", "no signal that asks for an end was recorded")
  }

  private var memory: Finding.Alternative? {
    guard run.manner.kind != .memory else { return nil }
    guard let short = run.lifecycle.shortOfMemory else {
      return Finding.Alternative("lack of memory", "no warning was recorded")
    }
    let time = TimeSpan.text(nanoseconds: run.lastSign &- min(short, run.lastSign))
    return Finding.Alternative(
      "lack of memory",
      "a warning was recorded \(time) before the end, which is no proof: the kernel logs each process that it kills"
    )
  }

  /// The other findings of the run.
  private var others: [Finding.Alternative] {
    all.filter { $0.fingerprint != draft.fingerprint }.map(\.finding).prefix(8).map { other in
      let why =
        if other.lastsToEnd {
          "lasted to the end, and shares no function with this: a finding of its own"
        } else if other.defect == finding.defect, !other.defect.isEmpty {
          "is about the same code"
        } else {
          "no link to this end was recorded: the run went on after it"
        }
      return Finding.Alternative("\(other.rule): \(other.title)", why)
    }
  }
}
