import CrashAnalysis
import CrashscanOutput
import Glibc
import IncidentModel
import LogReading
import ProcessReading
import TestRuns
import TextOutput

/// Explains crashes and hangs of test processes by the analyzer's rules, and writes to standard
/// error.
struct TestRunReport: TestRunReporting {
  private let invocation: Invocation
  private let directory: String
  fileprivate let layout: TextLayout

  init(_ invocation: Invocation, directory: String) {
    self.invocation = invocation
    self.directory = directory
    layout = Terminal.errorLayout(isPlain: invocation[.noColor])
  }

  func say(_ line: String) { tell("\(line)") }

  func show(_ report: String) { writeError("\n" + report + "\n") }

  func showProgress(_ line: @autoclosure () -> String) {
    if isatty(STDERR_FILENO) == 1 { say(line()) }
  }

  // MARK: Crashes

  func explainCrash(log: String) -> Explanation? {
    guard let source = try? LogReader(path: log, name: log).events() else { return nil }
    let witness = CrashStacks()
    let analyzer = Analyzer(
      symbols: SymbolicatedFrames(symbolDirectories: invocation.all(.symbols)))
    guard let summary = try? analyzer.analyze(source, input: log, witness: witness),
      let crashed = witness.crashed
    else { return nil }
    let report = Report(summary)
    let (verdict, text) = texts(of: report)
    return Explanation(
      verdict: verdict, report: text, blamed: [crashed] + places(report.entries),
      others: witness.others, isProof: true, causes: [], sleeps: false)
  }

  // MARK: Hangs

  func explainHang(process: Int) -> Explanation {
    do {
      // No client waits for a silent test process, so the stop may be longer than in `attach`.
      let source = try LiveProcess(process, options: LiveProcess.Options(stop: 1_000_000_000))
      var run = try PictureRun(
        invocation, places: source.symbolPlaces, root: "/proc/\(process)/root")
      var (summary, picture, groups) = try run.look(
        at: source, "process \(process)", ignoringLogsIn: directory, isStuck: true)
      // A thread that works may take longer to stop than the rest.
      for _ in 0..<3 where groups.threads.contains(where: \.frames.isEmpty) {
        (summary, picture, groups) = try run.look(
          at: source, "process \(process)", ignoringLogsIn: directory, isStuck: true)
      }
      let report = Report(summary)
      let (verdict, text) = texts(of: report) { layout in
        let listing = PictureListing(
          picture, groups, layout: layout, isVerbose: invocation[.verbose])
        return "\n" + listing.text
      }
      let proofs = report.entries.filter {
        let finding = $0.finding
        return finding.severity == .error
          && (finding.isVerdict || RuleBook.isOfStandstill(finding.rule))
      }
      let stacks = stacks(picture, groups)
      return Explanation(
        verdict: verdict, report: text, blamed: blamed(proofs, stacks), others: stacks,
        isProof: !proofs.isEmpty,
        causes: report.entries.map { entry in
          (Self.verdict(entry.finding, text: ""), blamed([entry], stacks))
        },
        sleeps: groups.tasks.contains {
          // Swift Testing's own tasks sleep for a test's limit of time.
          ($0.doing.one == "sleeps" && !$0.ownFrames.isEmpty)
            || $0.frames.contains(where: \.waitsForExpectation)
        } || groups.threads.contains { $0.frames.contains(where: \.waitsForExpectation) })
    } catch {
      let why = Inputs.message(of: error, "process \(process)").string
      return Explanation(title: "hang; \(why)", text: why + "\n")
    }
  }

  /// Returns the threads and tasks of a picture with the program's own code on their stacks.
  private func stacks(_ picture: ProcessPicture, _ groups: PictureGroups) -> [EvidenceStack] {
    let threads = groups.threads.filter { Self.place($0.frames) != nil }.map { group in
      let ids = group.threads.map { "\($0.kernelID)" }
      let state = picture.states[group.threads[0].kernelID]
      let call = Self.call(group.frames)
      let doing = call.map { "waits in \($0)" } ?? state.map { "is \($0)" } ?? ""
      return EvidenceStack(
        what: "\(ids.count == 1 ? "thread" : "threads") \(ids.joined(separator: ", ")) \(doing)",
        threads: group.threads.map(\.kernelID),
        frames: group.frames.map(Self.frame), place: Self.place(group.frames))
    }
    let tasks = groups.tasks.filter { !$0.ownFrames.isEmpty }.map { group in
      let ids = group.tasks.prefix(6).map { "\($0.id)" }
      let words =
        group.tasks.count == 1
        ? "task \(ids[0]) \(group.doing.one)"
        : "\(group.tasks.count) tasks \(group.doing.many): \(ids.joined(separator: ", "))"
      var stack = EvidenceStack(
        what: words, frames: group.frames.map(Self.frame), place: Self.place(group.frames))
      if case .enqueued = group.tasks[0].state { stack.waitsForTurn = true }
      return stack
    }
    return threads + tasks
  }

  fileprivate static func frame(_ frame: Frame) -> EvidenceStack.Frame {
    EvidenceStack.Frame(
      function: frame.place.function, file: frame.place.file, line: frame.place.line)
  }

  /// Returns a place that a finding names, as a stack of one frame.
  private static func stack(_ finding: Finding, at place: CodePlace) -> EvidenceStack {
    EvidenceStack(
      what: finding.title,
      frames: [EvidenceStack.Frame(function: place.name, file: place.file, line: place.line)])
  }

  /// Returns the library function that the program's own code called and that has not returned; nil
  /// if own code is innermost.
  private static func call(_ frames: [Frame]) -> String? {
    let above = frames.prefix { $0.role != .code || !$0.isNamed }
    return above.last { $0.isNamed && $0.role != .code }?.place.name
  }

  private static func place(_ frames: [Frame]) -> String? {
    frames.first {
      $0.role == .code && $0.isNamed && $0.place.file != nil && !$0.place.isGenerated
    }?.place.shortPosition
  }

  // MARK: Verdicts

  /// Returns each place that the findings name, as a separate stack.
  private func places(_ entries: [Report.Entry]) -> [EvidenceStack] {
    entries.flatMap { entry -> [EvidenceStack] in
      let finding = entry.finding
      let places =
        [finding.culprit].compactMap { $0 } + finding.cause.compactMap(\.place)
        + finding.evidence.compactMap(\.place)
      return places.map { Self.stack(finding, at: $0) }
    }
  }

  /// The stacks of a picture that have the culprits of findings. For a circle these are all of its parties.
  private func blamed(
    _ proofs: [Report.Entry], _ stacks: [EvidenceStack]
  ) -> [EvidenceStack] {
    proofs.flatMap { entry -> [EvidenceStack] in
      let finding = entry.finding
      let steps = finding.isVerdict ? finding.cause.compactMap(\.place) : []
      return ([finding.culprit].compactMap { $0 } + steps).flatMap { place in
        let found = stacks.filter { stack in
          stack.frames.contains { $0.function == place.function && $0.line == place.line }
        }
        return found + [Self.stack(finding, at: place)]
      }
    }
  }

  /// Returns the verdict with plain text for files, and the same text for the terminal.
  private func texts(
    of report: Report, more: (TextLayout) -> String = { _ in "" }
  ) -> (verdict: Verdict, report: String) {
    func text(_ layout: TextLayout) -> String {
      TextReporter(layout: layout, isVerbose: invocation[.verbose], keepsInputs: false)
        .write(report) + more(layout)
    }
    let plain = text(TextLayout(baseDirectory: layout.baseDirectory))
    return (Self.verdict(report.entries.first?.finding, text: plain), text(layout))
  }

  private static func verdict(_ finding: Finding?, text: String) -> Verdict {
    Verdict(
      title: finding?.title ?? "no finding explains the cause", file: finding?.culprit?.file,
      line: finding?.culprit?.line, text: text)
  }

  // MARK: Recordings

  /// Reports the failed isolation checks that the test processes recorded; returns false without any.
  func showFailedChecks() -> Bool {
    showRecordings(
      none: "no isolation check failed",
      "isolation checks failed; each is a data race that ends the process without --isolation soft")
  }

  /// Reports the blocking calls that the test processes recorded.
  func showBlockingCalls() {
    _ = showRecordings(
      only: ["blocking-call"], none: "no call blocked a thread that others need for 5 ms or longer",
      "calls blocked a thread that others need")
  }

  /// Shows the recordings with findings of some rules; nil for all rules.
  private func showRecordings(
    only rules: Set<String>? = nil, none: String, _ headline: String
  ) -> Bool {
    var options = AnalysisOptions()
    options.only = rules
    let analyzer = Analyzer(
      options: options,
      symbols: SymbolicatedFrames(symbolDirectories: invocation.all(.symbols)))
    var summary = Summary()
    for log in TestRecording.logs(in: directory) {
      do {
        let source = try LogReader(path: log, name: log).events()
        let found = try analyzer.analyze(source, input: log)
        if !Report(found).entries.isEmpty { summary.merge(found) }
      } catch {
        say(Inputs.message(of: error, log).string)
      }
    }
    let report = Report(summary)
    guard !report.entries.isEmpty else {
      say(none)
      return false
    }
    say(headline)
    show(
      TextReporter(layout: layout, isVerbose: invocation[.verbose], keepsInputs: false)
        .write(report))
    return true
  }

  // MARK: The end

  /// Writes the summary of the run.
  func conclude(_ supervisor: Supervisor) {
    let run = supervisor.run
    if supervisor.processCount == 0 {
      if supervisor.interruption == 0 {
        say("\(invocation.operands[0]) started no test process that crashscan could observe")
      }
      return
    }
    if getenv("GITHUB_ACTIONS") != nil { annotate(run) }
    for test in run.flaky {
      let pool = invocation[.pool].map { ", on \($0) processors" } ?? ""
      let times = test.flakes.count == 1 ? "once" : "\(test.flakes.count) times"
      say(
        "flaky: \(test.name.shownWithPlace) failed \(times), then passed\(pool): \(test.flakes[0])")
    }
    for test in run.tests where test.state == .crashed || test.state == .hung {
      let what = test.state == .hung ? "hung" : "crashed"
      say("\(what): \(test.name.shownWithPlace): \(test.verdict?.title ?? "")")
    }
    for other in run.others { say(other.title) }
    let counts: [(Int, String)] = [
      (run.count(.passed), "passed"), (run.count(.failed), "failed"),
      (run.count(.crashed), "crashed"), (run.count(.hung), "hung"),
      (run.count(.skipped), "skipped"),
      (run.count(.waiting) + run.count(.running), "without a result"),
      (run.flaky.count, "flaky"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    say("\(run.tests.count) tests: \(words.joined(separator: ", "))")
  }
}

extension TestRunReport {
  /// Writes annotations for the bad tests of a run in a workflow of GitHub's.
  fileprivate func annotate(_ run: TestRun) {
    for test in run.tests where test.isBad {
      let issue = test.issues.first { $0.file != nil }
      let file = test.verdict?.file ?? issue?.file ?? test.name.file
      let line = test.verdict?.line ?? issue?.line ?? test.name.line
      let text = test.verdict?.title ?? test.issues.first?.message ?? test.missing ?? "failed"
      let annotation = GitHubAnnotation(
        level: "error", title: test.name.shown, file: file.map(layout.path), lineNumber: line,
        text: text)
      writeError(annotation.line)
    }
  }
}

/// Collects the symbolicated stacks of a crash.
private final class CrashStacks: AnalysisWitness {
  private(set) var crashed: EvidenceStack?
  private(set) var others: [EvidenceStack] = []

  func observe(_ batch: EventBatch) {}

  func finish(_ outcome: AnalysisOutcome) {
    guard let crash = outcome.source.crash else { return }
    func stack(_ thread: CrashThread) -> EvidenceStack {
      let frames = outcome.frames(thread.stack.frames, when: crash.monotonic)
      return EvidenceStack(
        what: "thread \(thread.kernelID)", frames: frames.map(TestRunReport.frame))
    }
    crashed = crash.thread.map(stack) ?? EvidenceStack(what: "no stack", frames: [])
    others = crash.otherThreads.map(stack)
  }
}
