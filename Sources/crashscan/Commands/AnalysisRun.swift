import BreadcrumbLog
import CrashAnalysis
import CrashReports
import IncidentModel
import Reporting

/// Analyses inputs one after the other, as the options say; goes on past those it cannot read.
struct AnalysisRun {
  let options: AnalysisOptions
  private(set) var hasFailed = false
  private let analyzer: Analyzer
  private let format: InputFormat?
  private let progress = ProgressLine()
  private let unnamed = UnnamedModules()
  /// What was recorded, if it is kept.
  private(set) var timelines = Timelines()
  private let keepsTimelines: Bool

  static let options: [OptionEntry] = [
    Option.only.entry, Option.ignore.entry, Option.uiPatterns.entry, Option.symbols.entry,
    Option<InputFormat>.input.entry,
  ]

  /// - Parameter keepsTimelines: whether the events are wanted beside what was found in them.
  init(_ invocation: Invocation, keepsTimelines: Bool = false) throws(CommandFailure) {
    self.keepsTimelines = keepsTimelines
    var options = AnalysisOptions()
    let only = invocation.all(.only)
    options.only = only.isEmpty ? nil : Set(only)
    options.ignored = Set(invocation.all(.ignore))
    for path in invocation.all(.uiPatterns) {
      let text = String(decoding: try WholeFile.read(path), as: UTF8.self)
      do throws(PatternError) { try options.patterns.add(text: text, path: path) } catch {
        throw CommandFailure(message: "\(error.description)", code: .usage)
      }
    }
    self.options = options
    format = invocation[.input]
    let directories = invocation.all(.symbols)
    for path in directories where !fileExists(path) {
      throw WholeFile.failure(path, "cannot be searched for symbols")
    }
    analyzer = Analyzer(
      options: options,
      symbols: SymbolicatedFrames(symbolDirectories: directories, unnamed: unnamed),
      progress: { [progress] in progress.show($0) })
  }

  /// What an input holds; nil if it cannot be read, which is said.
  mutating func analyze(_ input: InputFile) -> Summary? {
    do {
      let opened = try input.open()
      progress.begin(input.name)
      defer { progress.end() }
      if format == .breadcrumbs || (format == nil && LogReader.recognises(path: opened.path)) {
        return try analyze(LogReader(path: opened.path).events(), input.name)
      }
      return try analyzeReports(opened.path, input.name)
    } catch {
      return fail(error, input.name)
    }
  }

  /// What the reports in a file hold together.
  private mutating func analyzeReports(_ path: String, _ name: String) throws -> Summary {
    var summary = Summary()
    let file = try ReportFile(path: path, name: name, format: format?.report)
    try file.forEach { source in summary.merge(try analyze(source, name)) }
    // A console without a report is a good sign, and any other text by mistake looks like one.
    if summary.logs.isEmpty { tell("\(name): is no log, and there is no report in it") }
    return summary
  }

  private mutating func analyze(_ source: any EventSource, _ name: String) throws -> Summary {
    let recorder = keepsTimelines ? TimelineRecorder(most: timelines.room) : nil
    let summary = try analyzer.analyze(source, input: name, witness: recorder)
    if let recorder { timelines.add(recorder) }
    return summary
  }

  /// A summary that was written earlier; nil if it cannot be read, which is said.
  mutating func readSummary(_ path: String) -> Summary? {
    do {
      return try Summary(json: WholeFile.read(path))
    } catch {
      return fail(error, path)
    }
  }

  /// Says which modules gave their frames no names, and why.
  func tellWhatHasNoNames() {
    for (module, reason) in unnamed.reasons.sorted(by: { $0.key < $1.key }) {
      tell("frames of \(module) have no names: \(reason); --symbols DIR says where else to look")
    }
  }

  private mutating func fail(_ error: any Error, _ name: String) -> Summary? {
    hasFailed = true
    switch error {
    case let failure as CommandFailure: tell(failure.message)
    case let failure as LogReadingError: tell("\(failure.description)")
    case let failure as ReportReadingError: tell("\(failure.description)")
    default: tell("\(name): \(String(describing: error))")
    }
    return nil
  }
}

// Options that the commands which analyse share.
extension Option where Value == String {
  private static let rule = "the id of a rule, as crashscan rules lists them"
  private static var rules: OptionEntry.Value.Nature { .choice(RuleBook.descriptions.map(\.id)) }

  static let only = Option(
    "only", takes: "RULE", rule, nature: rules, isRepeatable: true, summary: "Let only RULE speak",
    read: { RuleBook.description(of: $0)?.id })
  static let ignore = Option(
    "ignore", takes: "RULE", rule, nature: rules, isRepeatable: true,
    summary: "Do not let RULE speak",
    read: { RuleBook.description(of: $0)?.id })
  static let uiPatterns = Option(
    "ui-patterns", takes: "FILE", "a file", nature: .file, isRepeatable: true,
    summary: "Also take functions that FILE names for UI work",
    discussion: """
      A line of FILE is `module GLOB` or `function GLOB`, then perhaps `as NAME`; * stands for any \
      text, ? for any character, and # begins a comment.
      """,
    read: { $0 })
}
