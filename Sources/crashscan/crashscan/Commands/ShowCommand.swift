import CrashscanOutput
import DeathRecords
import Glibc
import IncidentModel
import LogReading
import TextOutput

extension Command {
  /// The command that shows the crumbs of a log.
  static let show = Command(
    name: "show", summary: "the breadcrumbs of a log, oldest first",
    discussion: [
      "FILE may be the log of a running process or of one that was killed, and it may be truncated or damaged: crashscan shows the readable records and lists unreadable ranges "
        + "with their offsets."
    ],
    examples: [
      Example(
        line: "crashscan show breadcrumbs.log", summary: "Every breadcrumb in the log."),
      Example(
        line: "crashscan show breadcrumbs.log --since 30s --thread worker",
        summary: "Crumbs of threads named worker in the last 30 seconds."),
      Example(
        line: "crashscan show breadcrumbs.log --last 20 --follow",
        summary: "The last 20 crumbs, then new crumbs until the process ends."),
      Example(
        line: "crashscan show breadcrumbs.log --category violation --format json",
        summary: "All violations, as JSON."),
      Example(
        line: "crashscan show breadcrumbs.log --format otlp",
        summary: "The death record of the run, for OpenTelemetry."),
    ],
    operands: Operand(placeholder: "FILE", completion: .file, count: 1...1),
    options: [
      Option.thread.entry, Option.category.entry, Option.since.entry, Option.last.entry,
      Option.follow.entry, Option<OutputFormat>.format.entry, Option.symbols.entry,
      Option.maxUnpacked.entry, Option.noColor.entry, Option.verbose.entry,
    ],
    run: { invocation in
      let format = invocation[.format] ?? OutputFormat.text
      if let form = format.ofDeath { return DeathCommand(invocation, form, format.rawValue).run() }
      return ShowCommand(invocation).run()
    })
}

extension Option where Value == String {
  static let thread = Option(
    "thread", takes: "T", "a thread's kernel id or name", isRepeatable: true,
    summary: "Only threads with kernel id T, or T in their name", read: { $0 })
  static let category = Option(
    "category", takes: "C", "a category or kind", isRepeatable: true,
    summary: "Only crumbs of category or kind C, such as violation", read: { $0 })
}

extension Option where Value == Since {
  static let since = Option(
    "since", takes: "WHEN", "a span such as 30s or 5m, or a time such as 14:05",
    summary: "Only crumbs since WHEN: 30s before the end, or a time such as 14:05",
    discussion: """
      A span is a number and ms, s, m, h or d, back from the last crumb, or from now if the process \
      still runs. A time is 14:05, 14:05:30, 14:05:30.250, any of these after a day such as \
      2026-11-20 and a space or T, in local time, or in UTC with a trailing Z. Without a day, it is \
      the last such time in the log.
      """,
    read: { Since($0) })
}

extension Option where Value == Int {
  static let last = Option(
    "last", takes: "N", "a whole number", summary: "Show only the last N crumbs",
    read: { Int($0).flatMap { $0 >= 0 ? $0 : nil } })
}

extension Option where Value == Bool {
  static let follow = Option(
    flag: "follow", summary: "Wait for new crumbs until the process ends",
    discussion: "The command ends with the recording process, and prints how that process ended.")
}

extension Option where Value == OutputFormat {
  static let format = Option(
    oneOf: "format", takes: "FORMAT",
    summary: "Output format: text (the default), json, sentry, death, otlp or sentry-envelope",
    discussion: """
      sentry writes one Sentry event: the crash or the last violation, with the crumbs. death, \
      otlp and sentry-envelope write a record of the failure that ended the run, with its last 100 crumbs \
      (--last: fewer), and nothing if the run did not fail: death as a line of JSON, otlp as the \
      OpenTelemetry event app.crash in OTLP/JSON, sentry-envelope as a Sentry envelope.
      """)
}

/// Shows a log's crumbs, and follows the log if requested.
struct ShowCommand {
  private let input: InputFile
  private let selection: CrumbSelection
  private let follows: Bool
  private let makeView: @Sendable (StackResolver) -> any CrumbView
  private let symbolDirectories: [String]

  init(_ invocation: Invocation) {
    let path = invocation.operands[0]
    input = InputFile(invocation)
    selection = CrumbSelection(
      threads: invocation.all(.thread), categories: invocation.all(.category),
      since: invocation[.since], last: invocation[.last])
    follows = invocation[.follow]
    symbolDirectories = invocation.all(.symbols)
    let isVerbose = invocation[.verbose]
    let layout = Terminal.layout(isPlain: invocation[.noColor])
    let format = invocation[.format] ?? OutputFormat.text
    makeView = { resolver in
      switch format {
      case .text:
        CrumbListing(path: path, layout: layout, isVerbose: isVerbose, resolver: resolver)
      case .json: CrumbDocument(path: path, resolver: resolver)
      // DeathCommand writes death records.
      case .sentry, .death, .otlp, .sentryEnvelope:
        SentryDocument(version: mainstayVersion, resolver: resolver)
      }
    }
  }

  func run() -> ExitCode {
    do {
      let opened = try input.open()
      let reader = try LogReader(path: opened.path, name: input.name)
      if follows { try follow(reader) } else { try show(reader) }
      if let flaw = opened.flaw { throw flaw }
      return .nothingFound
    } catch {
      tell(Inputs.message(of: error, input.name))
      return .unreadableInput
    }
  }

  private var newView: any CrumbView {
    makeView(StackResolver(symbols: SymbolicatedFrames(symbolDirectories: symbolDirectories)))
  }

  private func show(_ reader: LogReader) throws {
    var output = StandardOutput()
    var view = newView
    let log = try ShownLog(reader, selection)
    for miss in selection.misses(in: log.incident) { tell("\(miss)") }
    output.write(view.begin(log.incident))
    view.learn(log.incident, showing: log.samples)
    try log.forEach { crumbs in
      for crumb in crumbs { output.write(view.crumb(crumb)) }
      output.flush()
    }
    output.write(view.end(log.incident))
  }

  private func follow(_ reader: LogReader) throws(LogReadingError) {
    Interruption.watch()
    var output = StandardOutput()
    var view = newView
    let tail = try LogTail(reader)
    var incident = try poll(tail, reader)
    for miss in selection.misses(in: incident) { tell("\(miss)") }
    output.write(view.begin(incident))
    write(selection.crumbs(of: incident), of: incident, through: &view, to: &output)
    while incident.ending == .running, !Interruption.hasCome {
      usleep(100_000)
      incident = try poll(tail, reader)
      write(selection.matching(incident), of: incident, through: &view, to: &output)
    }
    output.write(view.end(try ShownLog.overview(reader)))
  }

  /// Returns the current state of the log, with the crumbs since the last poll.
  private func poll(_ tail: LogTail, _ reader: LogReader) throws(LogReadingError) -> Incident {
    var crumbs: [Crumb] = []
    try tail.poll().forEach { crumbs.append(Crumb($0)) }
    var incident = Incident(
      process: tail.process, ending: tail.status.ending, threads: tail.threads,
      modules: tail.modules, crumbs: crumbs, losses: tail.status.losses, unread: [],
      notes: reader.notes, crash: tail.status.crash)
    incident.signs = tail.status.signs
    return incident
  }

  private func write(
    _ crumbs: [Crumb], of incident: Incident, through view: inout any CrumbView,
    to output: inout StandardOutput
  ) {
    view.learn(incident, showing: crumbs)
    for crumb in crumbs { output.write(view.crumb(crumb)) }
    output.flush()
  }
}
