import CrashAnalysis
import CrashscanOutput
import TextOutput

extension Command {
  /// The command that explains one finding in detail.
  static let explain = Command(
    name: "explain",
    summary: "one finding in full: its chain, all evidence, and the causes that were ruled out",
    discussion: [
      "This command writes one finding of a report in full: cause, effects and end with their times, all "
        + "evidence, findings of other rules with the same cause, and for each other cause the reason why it "
        + "was ruled out."
    ],
    examples: [
      Example(
        line: "crashscan explain breadcrumbs.log", summary: "The first finding of the report."),
      Example(
        line: "crashscan explain breadcrumbs.log --finding 2 --format json",
        summary: "The second finding, as JSON."),
    ],
    operands: Operand(placeholder: "FILE", completion: .file, count: 1...1),
    options: [
      Option<FindingChoice>.finding.entry, Option<ExplanationFormat>.explanation.entry,
      Option.output.entry, Option.noColor.entry,
    ] + AnalysisRun.options,
    run: { invocation in
      do throws(CommandFailure) {
        try writeExplanation(invocation)
        return .nothingFound
      } catch {
        tell("\(error.message)")
        return error.code
      }
    })
}

/// The format of an explanation.
enum ExplanationFormat: String, CaseIterable, Sendable {
  case text, json
}

extension Option where Value == ExplanationFormat {
  fileprivate static let explanation = Option(
    oneOf: "format", takes: "FORMAT", summary: "Output format: text (the default) or json")
}

private func writeExplanation(_ invocation: Invocation) throws(CommandFailure) {
  var run = try AnalysisRun(invocation, tellsUnread: false)
  let name = invocation.operands[0]
  let summary = try run.analyze(invocation)
  let report = Report(summary, named: run.named, options: run.options)
  if let unread = report.unread.first { throw CommandFailure(message: "\(unread.why)") }
  guard !report.entries.isEmpty else {
    throw CommandFailure(message: "\(name): the report has no finding to explain")
  }
  let index: Int
  do { index = try (invocation[.finding] ?? .first).index(in: report.entries) } catch {
    throw CommandFailure(message: "\(name): \(error.description)", code: .usage)
  }
  let path = invocation[.output].flatMap { $0 == "-" ? nil : $0 }
  let text =
    switch invocation[.explanation] ?? .text {
    case .json: JSONReporter().explanation(of: report.entries[index], id: index + 1)
    case .text:
      TextReporter(
        layout: Terminal.layout(isPlain: invocation[.noColor] || path != nil), isVerbose: true,
        readingOptions: AnalysisRun.readingOptions(of: invocation)
      ).explanation(of: report.entries[index], in: report)
    }
  if let path { return try WholeFile.write(text, to: path) }
  var output = StandardOutput()
  output.write(text)
}
