import CrashAnalysis
import CrashscanOutput
import IncidentModel
import LogReading
import ProcessReading
import Symbolication

/// Reports on a process, running or dead, from its memory.
struct PictureRun {
  private let writing: ReportWriting
  private var run: AnalysisRun
  /// The root directory of the process's files, for its breadcrumb log.
  private let root: String

  /// Options that `attach` and `core` share.
  static let options: [OptionEntry] =
    ReportWriting.options.filter { $0.name != "format" }
    + AnalysisRun.options.filter {
      ["only", "ignore", "ui-patterns", "symbols", "trust-sources"].contains($0.name)
    }
    + [Option<PictureFormat>.pictureFormat.entry]

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - places: Directories with symbols, in addition to those of the options.
  ///   - root: The root directory of the process's files; empty for this machine's root.
  init(_ invocation: Invocation, places: [String], root: String) throws(CommandFailure) {
    writing = try ReportWriting(
      invocation, format: (invocation[.pictureFormat] ?? .text).ofReport)
    run = try AnalysisRun(
      invocation, keepsTimelines: writing.wantsTimelines, symbolPlaces: places)
    self.root = root
  }

  /// Writes the report.
  ///
  /// - Parameters:
  ///   - name: The name of the process in the report.
  ///   - shortcomings: Returns the gaps in the picture; called after all stacks were walked.
  mutating func report(
    on source: some ProcessSource, _ name: String,
    crash: (ProcessPicture) -> Crash? = { _ in nil }, unread: [Unread] = [],
    shortcomings: () -> [String] = { [] }
  ) throws -> ExitCode {
    let (summary, picture, groups) = try look(
      at: source, name, crash: crash, unread: unread, shortcomings: shortcomings)
    return try writing.write(
      summary, run.timelines, options: run.options, notes: run.shortcomings,
      picture: (picture, groups))
  }

  /// Captures the picture of a process and analyzes it.
  ///
  /// - Parameters:
  ///   - directory: A directory whose logs do not belong to the program.
  ///   - isStuck: True if the process is silent although it should continue.
  mutating func look(
    at source: some ProcessSource, _ name: String, ignoringLogsIn directory: String? = nil,
    isStuck: Bool = false,
    crash: (ProcessPicture) -> Crash? = { _ in nil }, unread: [Unread] = [],
    shortcomings: () -> [String] = { [] }
  ) throws -> (Summary, ProcessPicture, PictureGroups) {
    // Read symbols and limits before the process is stopped.
    let symbols = ProcessSymbols(
      source.modules, Symbolicator(symbolDirectories: source.symbolPlaces))
    let (capture, tasks) = try source.captureWithTasks(symbols)
    var picture = capture.picture()
    picture.tasks = tasks
    picture.tasks?.isStuck = isStuck
    picture.notes += shortcomings()
    let log = breadcrumbLog(
      capture.memory.regions.filter { region in
        directory.map { !region.path.hasPrefix($0 + "/") } ?? true
      })
    if let log {
      picture.notes.append(
        "crumbs and requests come from the breadcrumb log of the process, \(log.path)")
    }
    let events = PictureEvents(
      of: source, picture, modules: capture.memory.modules, crash: crash(picture), unread: unread,
      log: log?.events)
    let (summary, groups) = try run.analyze(events, picture, name)
    return (summary, picture, groups)
  }

  /// Finds the breadcrumb log of the process by its memory mapping.
  private func breadcrumbLog(_ regions: [MemoryRegion]) -> (path: String, events: LogEvents)? {
    var seen: Set<String> = []
    for region in regions where region.isWritable && region.path.hasPrefix("/") {
      let path = root + region.path
      guard seen.insert(path).inserted, LogReader.recognises(path: path),
        let events = try? LogReader(path: path, name: region.path).events()
      else { continue }
      return (region.path, events)
    }
    return nil
  }
}

/// The format of a report on a process.
enum PictureFormat: String, CaseIterable, Sendable {
  case text, html, json

  var ofReport: ReportFormat {
    switch self {
    case .text: .text
    case .html: .html
    case .json: .json
    }
  }
}

extension Option where Value == PictureFormat {
  static let pictureFormat = Option(
    oneOf: "format", takes: "FORMAT", summary: "Output format: text (the default), html or json",
    discussion: """
      json is described by docs/report-schema.json; html is a page with the findings and a timeline of the breadcrumb \
      log, without the threads.
      """)
}
