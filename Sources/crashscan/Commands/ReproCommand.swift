import CrashAnalysis
import IncidentModel
import Reporting

extension Command {
  /// A test from a log.
  static let repro = Command(
    name: "repro", summary: "write a Swift test that reproduces a finding",
    discussion: [
      "The test delivers the same callbacks on the same queues, in the same state of the app or "
        + "service, to a placeholder type, and fails if the same rule fires on what it records. "
        + "Put your own type in the marked place: the test fails until the bug is fixed. It needs "
        + "the product AffinityTesting.",
      "No test can be written for findings about timing (main-blocked, slow-hop), about the log or how "
        + "a run ended (torn-log, unclean-end, crash-loop), about calls that one hop reordered, or for a "
        + "crash that did not come from a callback.",
    ],
    examples: [
      Example(
        line: "crashscan repro breadcrumbs.log --finding 2 --output Tests/FeedTests/Repro.swift",
        summary: "A regression test for the second finding of the report.")
    ],
    operands: Operand(placeholder: "FILE", nature: .file, count: 1...1),
    options: [Option<Int>.finding.entry, Option.output.entry] + AnalysisRun.options,
    run: { invocation in
      do throws(CommandFailure) {
        try writeRepro(invocation)
        return .nothingFound
      } catch {
        tell("\(error.message)")
        return error.code
      }
    })
}

private func writeRepro(_ invocation: Invocation) throws(CommandFailure) {
  try invocation.checkOutput()
  let number = invocation[.finding] ?? 1
  var run = try AnalysisRun(invocation)
  let input = InputFile(name: invocation.operands[0])
  let summary = try reading(input) { try run.analyze(input) }
  let entries = Report(summary, options: run.options).entries
  guard number <= entries.count else {
    throw CommandFailure(
      message: "\(input.name): has \(entries.count) findings; there is no number \(number)",
      code: .usage)
  }
  let asked = entries[number - 1].finding
  // A crash's cause is told again by the rule that knows the callback.
  let retelling = [asked] + entries.map(\.finding).filter { $0.defect == asked.defect }
  let moves = try moves(before: asked, in: input, invocation[.input])
  let found = retelling.lazy.compactMap { finding in
    ReproSchedule(finding, moves).map { (finding, $0) }
  }.first
  guard let (finding, schedule) = found else {
    throw CommandFailure(
      message:
        """
        no test can be written for finding \(number), \(asked.rule): \
        \(ReproStory.refusal(of: asked))
        """,
      code: .unrepeatable)
  }
  let text = ReproWriter(finding, number: number, schedule).write()
  guard let path = invocation[.output], path != "-" else {
    var output = StandardOutput()
    return output.write(text)
  }
  try WholeFile.write(text, to: path)
}

/// How the process moved between foreground and background before what was found.
private func moves(
  before finding: Finding, in input: InputFile, _ format: InputFormat?
) throws(CommandFailure) -> LifecycleMoves {
  try reading(input) {
    var moves = LifecycleMoves()
    try input.forEachSource(format) { source in
      guard source.recording == finding.incident else { return }
      moves = try LifecycleMoves(source, until: finding.wall)
    }
    return moves
  }
}

private func reading<Result>(
  _ input: InputFile, _ read: () throws -> Result
) throws(CommandFailure) -> Result {
  do { return try read() } catch {
    throw CommandFailure(message: Inputs.message(of: error, input.name))
  }
}

extension Option where Value == Int {
  fileprivate static let finding = Option(
    "finding", takes: "N", "a whole number above 0",
    summary: "Which finding, counted from 1 as in the report; the first by default",
    read: { Int($0).flatMap { $0 > 0 ? $0 : nil } })
}
