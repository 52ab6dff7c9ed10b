import CrashAnalysis
import IncidentModel
import CrashscanOutput

extension Command {
  /// The command that generates a test from a log.
  static let repro = Command(
    name: "repro", summary: "write a Swift test that reproduces a finding",
    discussion: [
      "The test delivers the same callbacks on the same queues, in the same state of the app or "
        + "service, to a placeholder type, and fails if the same rule fires on its recording. "
        + "Put your own type in the marked place: the test fails until the bug is fixed. It needs "
        + "the products AffinityTesting and CrashTesting.",
      "No test can be written for findings about timing (main-blocked, blocking-call, slow-hop), about the log or how "
        + "a run ended (torn-log, unclean-end, crash-loop), about calls that one hop reordered, or for a "
        + "crash on the main thread, or of damaged memory, that no check or hop explains. For any other crash, the "
        + "test makes the call that crashed; you set up the state that leads to the crash.",
    ],
    examples: [
      Example(
        line: "crashscan repro my.log --finding 2 --output Tests/FeedTests/Repro.swift",
        summary: "A regression test for the second finding of the report."),
      Example(
        line: "crashscan repro breadcrumbs.log --finding 1f3c9a",
        summary: "A regression test for the finding whose fingerprint begins with 1f3c9a."),
    ],
    operands: Operand(placeholder: "FILE", completion: .file, count: 1...1),
    options: [Option<FindingChoice>.finding.entry, Option.output.entry] + AnalysisRun.options,
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
  var run = try AnalysisRun(invocation)
  let input = InputFile(invocation)
  let summary = try reading(input) { try run.analyze(input) }
  let entries = Report(summary, options: run.options).entries
  if entries.isEmpty {
    throw CommandFailure(
      message: "\(input.name): the report has no finding that a test can reproduce",
      code: .unrepeatable)
  }
  let choice = invocation[.finding] ?? FindingChoice.first
  let index: Int
  do { index = try choice.index(in: entries) } catch {
    throw CommandFailure(message: "\(input.name): \(error.description)", code: .usage)
  }
  let number = index + 1
  let asked = entries[index].finding
  let moves = try moves(before: asked, in: input, invocation[.input])
  let same = Defects(entries).findings(like: asked)
  guard let (finding, schedule) = ReproSchedule.first(of: same, moves) else {
    throw CommandFailure(
      message:
        """
        no test can be written for finding \(number), \(asked.rule): \
        \(ReproScenario.refusal(of: asked))
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

/// Returns the process's transitions between foreground and background before the finding.
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

/// The choice of a finding in a report: its number, its fingerprint, or a prefix of the fingerprint.
struct FindingChoice: Sendable {
  static let first = FindingChoice(text: "1")

  private let text: String

  private static let fewestDigits = 4, digits = 16

  private init(text: String) { self.text = text }

  init?(_ typed: String) {
    let text = typed.lowercased()
    let isNumber = Int(text).map { $0 > 0 } ?? false
    guard text.utf8.count <= Self.digits, text.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      isNumber || text.utf8.count >= Self.fewestDigits
    else { return nil }
    self.text = text
  }

  /// The reason why the text selects no finding, or several.
  struct Failure: Error {
    let description: String
  }

  /// Returns the index of the finding. A number within the range of the report is an index, even if
  /// a fingerprint begins with it.
  func index(in entries: [Report.Entry]) throws(Failure) -> Int {
    if text.utf8.count < Self.digits, let number = Int(text), number > 0, number <= entries.count {
      return number - 1
    }
    let found = entries.indices.filter { entries[$0].fingerprint.hasPrefix(text) }
    if found.count == 1 { return found[0] }
    let count = "\(entries.count) \(entries.count == 1 ? "finding" : "findings")"
    if found.count > 1 {
      throw Failure(
        description: "\(found.count) findings have a fingerprint that begins with \(text)")
    }
    throw Failure(
      description: Int(text) != nil
        ? "has \(count), but no number \(text)"
        : "has \(count), but none with the fingerprint \(text)")
  }
}

extension Option where Value == FindingChoice {
  static let finding = Option(
    "finding", takes: "N", "a number above 0, or at least 4 digits of a fingerprint",
    summary: "Select a finding by its number in the report on FILE alone, or by its fingerprint",
    discussion: """
      A fingerprint may be shortened to a unique prefix; it names the same finding in every report. \
      The default is the first finding.
      """,
    read: { FindingChoice($0) })
}
