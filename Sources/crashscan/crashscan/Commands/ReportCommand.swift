import CrashAnalysis

extension Command {
  /// The command that reports the findings of all rules.
  static let report = Command(
    name: "report", summary: "findings with the code to open first and the fix",
    discussion: [
      "FILE is a log, a report of another tool, a directory of them with its subdirectories, or - for "
        + "standard input; .gz and .zst files are unpacked. This is what crashscan does when no command is "
        + "named."
    ],
    examples: [
      Example(line: "crashscan breadcrumbs.log", summary: "The findings of this log."),
      Example(
        line: "crashscan console.txt crash.ips event.json",
        summary: "Crash reports and console output of other tools."),
      Example(
        line: "crashscan logs/ --format sarif --output scan.sarif",
        summary: "All logs in a directory, for code scanning."),
      Example(
        line: "crashscan report breadcrumbs.log --format html --output report.html",
        summary: "A web page: findings beside a timeline."),
      Example(
        line: "crashscan breadcrumbs.log --baseline known.json --fail-on warning",
        summary: "Fail only on findings that are not in known.json."),
      Example(
        line: "crashscan breadcrumbs.log --format perfetto --output run.pftrace",
        summary: "A trace to open in ui.perfetto.dev."),
    ],
    operands: Operand(placeholder: "FILE", completion: .file, count: 1...1_000_000),
    options: ReportWriting.options + AnalysisRun.options,
    run: { invocation in
      if let format = TraceFormat(invocation[.reportFormat]) {
        return tracing(invocation, as: format)
      }
      return reporting(invocation) { run throws(CommandFailure) in try run.analyze(invocation) }
    })

  /// The command that merges many summaries into one report.
  static let merge = Command(
    name: "merge", summary: "one report from the summaries of many logs",
    discussion: [
      "The order does not matter, and a summary given twice counts once. Of two summaries of the same run, the one that read more of the log counts."
    ],
    examples: [
      Example(
        line: "crashscan merge host-*.json", summary: "Write one report for all hosts."),
      Example(
        line: "crashscan merge a.json b.json --format summary --output ab.json",
        summary: "Merge two summaries into one that can be merged again."),
      Example(
        line: "crashscan merge host-*.json --format fleet --output fleet.jsonl",
        summary: "Findings by host, release and day, as rows of JSON."),
    ],
    operands: Operand(placeholder: "SUMMARY", completion: .file, count: 1...1_000_000),
    // Other options affect how inputs are read, which happened when the summaries were made.
    options: ReportWriting.options
      + AnalysisRun.options.filter { ["only", "ignore"].contains($0.name) },
    run: { invocation in
      reporting(invocation) { $0.merge(invocation.operands) }
    })

  /// The command that writes the summary of a log, as input for `merge`.
  static let summarize = Command(
    name: "summarize", summary: "the findings of a log, as input of merge",
    discussion: [
      "A summary grows with the number of findings, not of crumbs. crashscan merge makes one report "
        + "of many."
    ],
    examples: [
      Example(
        line: "crashscan summarize breadcrumbs.log --output host-7.json",
        summary: "Summarize this host's log."),
      Example(
        line: "crashscan summarize breadcrumbs.log --host web-7 --output web-7.json",
        summary: "Add a host name, which crashscan merge --format fleet uses."),
    ],
    operands: Operand(placeholder: "FILE", completion: .file, count: 1...1_000_000),
    options: [
      Option.output.entry, Option.host.entry, Option.release.entry, Option.alone.entry,
    ] + AnalysisRun.options,
    run: { invocation in
      reporting(invocation, as: .summary) { run throws(CommandFailure) in
        var summary = try run.analyze(invocation)
        summary.place(host: invocation[.host], release: invocation[.release])
        return summary
      }
    })
}

// Options for facts that a log does not contain.
extension Option where Value == String {
  fileprivate static let host = Option(
    "host", takes: "NAME", "a name", summary: "Name of the host of the log",
    discussion: "A log does not contain its host. --format fleet counts hosts by this name.",
    read: { $0.isEmpty ? nil : $0 })
  fileprivate static let release = Option(
    "release", takes: "NAME", "a name",
    summary: "Release of the log, if the log does not name one",
    read: { $0.isEmpty ? nil : $0 })
}

/// Collects a summary with `gather`, writes the report and returns the exit code.
private func reporting(
  _ invocation: Invocation, as format: ReportFormat? = nil,
  _ gather: (inout AnalysisRun) throws(CommandFailure) -> Summary
) -> ExitCode {
  do throws(CommandFailure) {
    let writing = try ReportWriting(invocation, format: format)
    var run = try AnalysisRun(
      invocation, keepsTimelines: writing.wantsTimelines, tellsUnread: !writing.showsUnread)
    let summary = try gather(&run)
    let found = try writing.write(
      summary, named: run.named, run.timelines, options: run.options, notes: run.shortcomings)
    return summary.unread == nil ? found : .unreadableInput
  } catch {
    tell("\(error.message)")
    return error.code
  }
}

/// Writes inputs as a trace, without findings.
private func tracing(_ invocation: Invocation, as format: TraceFormat) -> ExitCode {
  do throws(CommandFailure) {
    return try TraceWriting(format, invocation).run()
  } catch {
    tell("\(error.message)")
    return error.code
  }
}
