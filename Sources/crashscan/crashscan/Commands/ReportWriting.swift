import CrashAnalysis
import CrashscanOutput
import Glibc
import IncidentModel
import TextOutput

/// The format of a report.
enum ReportFormat: String, CaseIterable, Sendable {
  case text, html, json, sarif, github, gcc, junit, summary, fleet
  case perfetto, speedscope, collapsed
}

/// The severity from which findings count.
enum FailureBar: String, CaseIterable, Sendable {
  case error, warning, note, never

  func isReached(by worst: Severity?) -> Bool {
    guard let worst, let least = Severity(rawValue: rawValue) else { return false }
    return worst >= least
  }
}

/// Writes a report to its destination, and determines whether its findings count.
struct ReportWriting {
  private let format: ReportFormat
  private let output: String?
  private let bar: FailureBar
  private let baseline: Set<String>
  private let allowed: [Allowance]
  private let isPlain: Bool
  private let isVerbose: Bool
  private let readingOptions: [String]

  static let options: [OptionEntry] = [
    Option<ReportFormat>.format.entry, Option.output.entry, Option<FailureBar>.failOn.entry,
    Option.baseline.entry, Option.allow.entry, Option.noColor.entry, Option.verbose.entry,
  ]

  init(_ invocation: Invocation, format: ReportFormat?) throws(CommandFailure) {
    self.format = format ?? invocation[.reportFormat] ?? .text
    if let trace = TraceFormat(self.format) {
      throw CommandFailure(
        message: "--format \(trace.rawValue) needs a log: use crashscan report", code: .usage)
    }
    output = invocation[.output]
    bar = format == .summary ? .never : invocation[.failOn] ?? .error
    isPlain = invocation[.noColor] || output != nil
    isVerbose = invocation[.verbose]
    readingOptions = AnalysisRun.readingOptions(of: invocation)
    var baseline: Set<String> = []
    for path in invocation.all(.baseline) {
      guard let known = Baseline.fingerprints(json: try WholeFile.read(path)) else {
        throw CommandFailure(message: "\(path): is not a JSON report of crashscan")
      }
      baseline.formUnion(known)
    }
    self.baseline = baseline
    allowed = invocation.all(.allow).flatMap { $0 }
  }

  /// True if the format shows the events themselves.
  var wantsTimelines: Bool { format == .html }

  /// True if the reader of standard error sees the reasons for unreadable inputs in the report.
  var showsUnread: Bool {
    format == .text && (output ?? "-") == "-" && Terminal.isOutput && Terminal.isError
  }

  /// Writes the report.
  ///
  /// - Parameters:
  ///   - named: The part of the summary that is from the named inputs; nil for the whole summary.
  ///   - notes: The information that the report lacks, with the remedy.
  ///   - picture: The process of the report, and its threads and tasks, grouped by place.
  func write(
    _ summary: Summary, named: Summary? = nil, _ timelines: Timelines, options: AnalysisOptions,
    notes: [String],
    picture: (ProcessPicture, PictureGroups)? = nil
  ) throws(CommandFailure) -> ExitCode {
    let report = Report(
      summary, named: named, options: options, baseline: baseline, allowed: allowed)
    if format != .text { for note in notes { tell("\(note)") } }
    try put(text(report, summary, timelines, notes, picture))
    return bar.isReached(by: report.worst) ? .findings : .nothingFound
  }

  /// Writes findings that are from no recording.
  ///
  /// - Parameter listing: Returns the text of the report for people.
  func write(
    _ findings: [Finding], unread: [(input: String, why: String)],
    listing: (Report, TextLayout, _ isVerbose: Bool) -> VisibleText
  ) throws(CommandFailure) -> ExitCode {
    let report = Report(findings: findings, unread: unread, baseline: baseline, allowed: allowed)
    if format == .text {
      try put(listing(report, Terminal.layout(isPlain: isPlain), isVerbose).string)
    } else {
      try put(text(report, Summary(), Timelines(), [], nil))
    }
    return bar.isReached(by: report.worst) ? .findings : .nothingFound
  }

  private func text(
    _ report: Report, _ summary: Summary, _ timelines: Timelines, _ notes: [String],
    _ picture: (ProcessPicture, PictureGroups)?
  ) -> String {
    let layout = Terminal.layout(isPlain: isPlain)
    let threads = picture.map { picture, groups in
      PictureListing(picture, groups, layout: layout, isVerbose: isVerbose).text
    }
    return switch format {
    case .text:
      TextReporter(
        layout: layout, isVerbose: isVerbose, readingOptions: readingOptions,
        keepsInputs: picture == nil
      ).write(report, notes: notes) + (threads.map { "\n" + $0 } ?? "")
    case .html: HTMLReporter(version: mainstayVersion, timelines: timelines).write(report)
    case .json: JSONReporter().write(report, picture: picture)
    case .sarif: SARIFReporter(version: mainstayVersion, layout: layout).write(report)
    case .github: GitHubReporter(layout: layout).write(report)
    case .gcc: GCCReporter(layout: layout).write(report)
    case .junit: JUnitReporter().write(report)
    case .summary: summary.json
    case .fleet: FleetReporter().write(report)
    // Traces are not made from a summary; the initializer rejects them.
    case .perfetto, .speedscope, .collapsed: ""
    }
  }

  private func put(_ text: String) throws(CommandFailure) {
    guard let output, output != "-" else {
      var standard = StandardOutput()
      standard.write(text)
      return
    }
    try WholeFile.write(text, to: output)
  }
}

extension Option where Value == ReportFormat {
  static let reportFormat = Option(
    oneOf: "format", takes: "FORMAT",
    summary: """
      Output format: text (the default), html, json, sarif, github, gcc, junit, summary, fleet, \
      perfetto, speedscope or collapsed
      """,
    discussion: """
      html is a page with a timeline, in one file that needs no network; json is described by \
      docs/report-schema.json, sarif is for code scanning, github are annotations of a workflow, gcc \
      is diagnostics of a compiler for editors, summary is for crashscan merge. fleet combines the \
      logs of many hosts in rows of JSON described by docs/fleet-schema.json. perfetto is a trace of \
      one log for ui.perfetto.dev; speedscope and collapsed are the stacks of violations, for flame \
      graphs. These three contain no findings, and the exit status is 0 unless an input cannot be \
      read.
      """)
  fileprivate static var format: Option { reportFormat }
}

extension Option where Value == FailureBar {
  static let failOn = Option(
    oneOf: "fail-on", takes: "SEVERITY",
    summary:
      "Exit with 1 on findings of this severity or worse: error (the default), warning, note; or never"
  )
}

extension Option where Value == String {
  static let output = Option(
    "output", takes: "FILE", "a file", completion: .file,
    summary: "Write to FILE instead of standard output",
    read: { $0 })
  static let baseline = Option(
    "baseline", takes: "FILE", "a report in JSON", completion: .file, isRepeatable: true,
    summary: "Ignore findings that are in the JSON report FILE",
    discussion: "FILE may also have the rows that --format fleet writes.", read: { $0 })
}

extension Option where Value == [Allowance] {
  static let allow = Option(
    "allow", takes: "WHAT", "function:NAME, file:NAME or message:TEXT, separated by ;",
    isRepeatable: true,
    summary: "Ignore findings in a function or file, or with a text in their title",
    discussion: """
      --allow 'function:reload; file:Legacy.swift; message:old layout': known problems, in the \
      syntax of MAINSTAY_ALLOW. A bare word matches any of the three. The cause of a run's death is \
      never ignored.
      """, read: Allowance.list)
}
