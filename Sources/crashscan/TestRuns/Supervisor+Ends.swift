import Glibc
import ProcessReading

/// The end of a test process.
extension Supervisor {
  /// Judges a process that has ended, and removes its files.
  func finish(_ ended: TestProcess) {
    guard let place = living.firstIndex(where: { $0.id == ended.id }) else { return }
    let now = Self.now
    living[place].read(now: now) { run.apply($0, at: $1) }
    let process = living.remove(at: place)
    for name in process.tests { launches[name] = process.launch }
    defer { removeFiles(of: process) }
    if interruption != 0 { return }
    let exit = ProcessFiles.text(path(of: process, "exited")).flatMap { Int32($0) }
    let isComplete = process.running.isEmpty && (process.hasEndedRun || exit != nil)
    if isComplete, exit != nil { return }
    if let explanation = reporting.explainCrash(log: path(of: process, "log")) {
      crashed(process, explanation)
    } else if !isComplete {
      vanished(process, exit)
    }
  }

  private func crashed(_ process: TestProcess, _ explanation: Explanation) {
    let matching = TestMatching(process.tests, of: process.tests)
    // The crashed stack comes first.
    var blamed = Array(matching.tests(of: explanation.blamed).prefix(1))
    // A task of an earlier test may have crashed, unless the test runs for the second time.
    if blamed.isEmpty, process.running.count == 1, isSerial || !options.reruns {
      blamed = process.running
    }
    let whose: String
    if let first = blamed.first {
      whose = "crash in \(first.shownWithPlace)"
    } else if process.running.isEmpty {
      whose = process.hasEndedRun ? "crash after the last test" : "crash before the next test"
    } else {
      // A thread or task of a test that has ended may have crashed.
      let ended = process.tests.compactMap { run[$0] }.filter(\.hasEnded)
        .sorted { ($0.ended ?? 0) > ($1.ended ?? 0) }
      let after = ended.isEmpty ? "" : ", after the end of \(Self.list(ended.map(\.name)))"
      whose = "crash while \(Self.list(process.running)) ran\(after)"
    }
    tell(process, whose, explanation, blamed, as: .crashed)
  }

  private func vanished(_ process: TestProcess, _ exit: Int32?) {
    let how =
      exit.map { "called exit(\($0))" }
      ?? "ended without a recorded crash, by SIGKILL, another signal or _exit,"
    let blamed = process.running.count == 1 ? process.running : []
    let whose =
      process.running.isEmpty
      ? "the process \(how) before its tests had ended"
      : "the process \(how) while \(Self.list(process.running)) ran"
    tell(process, whose, Explanation(title: whose), blamed, as: .crashed)
  }

  private func path(of process: TestProcess, _ kind: String) -> String {
    "\(options.directory)/\(process.id).\(kind)"
  }

  func removeFiles(of process: TestProcess) {
    for kind in ["begun", "exited", "events", "lines", "log"] { unlink(path(of: process, kind)) }
  }

  /// Reports a crash or a hang, attributes it to the tests in `blamed`, and stores the tests without
  /// a result for another attempt.
  ///
  /// - Parameter verdicts: The verdicts on tests that differ from that of the explanation.
  func tell(
    _ process: TestProcess, _ headline: String, _ explanation: Explanation, _ blamed: [TestName],
    as state: TestRun.State, verdicts: [TestName: Verdict] = [:]
  ) {
    hasIntervened = true
    let now = Self.now
    reporting.say("\(headline) (\(process.shown))")
    if !explanation.report.isEmpty { reporting.show(explanation.report) }
    for name in blamed {
      run.change(name) {
        $0.state = state
        $0.ended = now
        $0.verdict = verdicts[name] ?? explanation.verdict
      }
    }
    hasBlamed = hasBlamed || !blamed.isEmpty
    let title = explanation.verdict.title
    let mystery =
      blamed.isEmpty
      ? (
        title: headline == title ? headline : "\(headline): \(title)",
        text: explanation.verdict.text
      ) : nil
    let isPostponed = postpone(process, blamed: blamed, mystery)
    if let mystery, !isPostponed { run.others.append(mystery) }
  }

  /// Stores the tests of an ended process that have no result. Returns false if these tests will
  /// not be run again.
  private func postpone(
    _ process: TestProcess, blamed: [TestName], _ mystery: (title: String, text: String)?
  ) -> Bool {
    let rest = process.tests.filter { run[$0]?.hasEnded != true }
    for name in rest {
      run.change(name) {
        $0.state = .waiting
        $0.issues = []
      }
    }
    let isStuck = blamed.isEmpty && !process.hasResults && (isSerial || process.running.isEmpty)
    let mayFollow = process.library == .xcTest && !process.hasEndedRun
    guard options.reruns, !isStuck else {
      let why = "not run: the test process \(process.id) ended before this test"
      let unknown =
        mayFollow
        ? xcTests(of: process.launch).filter { run[$0]?.hasEnded != true } : []
      for name in rest + unknown { run.change(name) { $0.missing = why } }
      return false
    }
    if rest.isEmpty && !mayFollow { return false }
    unfinished.append(
      Unfinished(launch: process.launch, tests: rest, isSerial: blamed.isEmpty, mystery: mystery))
    return true
  }
}
