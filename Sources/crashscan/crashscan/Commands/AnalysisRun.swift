import LogReading
import CrashAnalysis
import IncidentModel
import CrashscanOutput
import TextOutput

/// Analyzes inputs in order, with the options of a command line; continues after unreadable inputs.
struct AnalysisRun {
  let options: AnalysisOptions
  private let analyzer: Analyzer
  private let format: InputFormat?
  private let progress = ProgressLine()
  private let unnamed = UnnamedModules()
  /// The part of the summary that is from the named inputs; nil if no log of an earlier run was
  /// read beside them.
  private(set) var named: Summary?
  /// The recorded events, if `keepsTimelines`.
  private(set) var timelines = Timelines()
  private let keepsTimelines: Bool
  private let tellsUnread: Bool

  static let options: [OptionEntry] = [
    Option.only.entry, Option.ignore.entry, Option.uiPatterns.entry, Option.symbols.entry,
    Option<InputFormat>.input.entry, Option.allowEmpty.entry, Option.maxUnpacked.entry,
    Option.exitStatus.entry, Option.trustSources.entry,
  ]

  /// Returns the options that affect how inputs are read, for commands on a single input.
  static func readingOptions(of invocation: Invocation) -> [String] {
    invocation.all(.uiPatterns).flatMap { [Option.uiPatterns.entry.flag, $0] }
      + invocation.all(.symbols).flatMap { [Option.symbols.entry.flag, $0] }
      + (invocation[.trustSources] ? [Option.trustSources.entry.flag] : [])
      + (invocation[.input].map { [Option<InputFormat>.input.entry.flag, $0.name] } ?? [])
  }

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - keepsTimelines: True to keep events in addition to findings.
  ///   - tellsUnread: False if the caller writes the reasons for unreadable inputs itself.
  ///   - symbolPlaces: Directories with symbols, in addition to those of the options.
  init(
    _ invocation: Invocation, keepsTimelines: Bool = false, tellsUnread: Bool = true,
    symbolPlaces: [String] = []
  ) throws(CommandFailure) {
    self.keepsTimelines = keepsTimelines
    self.tellsUnread = tellsUnread
    var options = AnalysisOptions()
    let only = invocation.all(.only)
    options.only = only.isEmpty ? nil : Set(only)
    options.ignored = Set(invocation.all(.ignore))
    options.exitStatus = invocation[.exitStatus]
    options.trustsSources = invocation[.trustSources]
    for path in invocation.all(.uiPatterns) {
      let text = String(decoding: try WholeFile.read(path), as: UTF8.self)
      do throws(PatternError) { try options.patterns.add(text: text, path: path) } catch {
        throw CommandFailure(message: "\(error.description)", code: .usage)
      }
    }
    self.options = options
    format = invocation[.input]
    let places = invocation.all(.symbols)
    for path in places where !fileExists(path) {
      throw WholeFile.failure(path, "cannot be searched for symbols")
    }
    analyzer = Analyzer(
      options: options,
      symbols: SymbolicatedFrames(symbolDirectories: places + symbolPlaces, unnamed: unnamed),
      progress: { [progress] in progress.show($0) })
  }

  /// Analyzes all inputs together. Reports unreadable inputs and continues.
  mutating func analyze(_ invocation: Invocation) throws(CommandFailure) -> Summary {
    try invocation.checkOutput()
    var (summary, named) = (Summary(), Summary())
    var hasOlder = false
    for operand in invocation.operands {
      let inputs = Inputs(operand, invocation)
      inputs.forEachSource {
        let found = try analyze($0, $1)
        summary.merge(found)
        if !inputs.older.contains($1) { named.merge(found) }
      } failed: {
        summary.merge(unread($0, $1))
      }
      hasOlder = hasOlder || !inputs.older.isEmpty
    }
    if hasOlder { self.named = named }
    return summary
  }

  mutating func analyze(_ input: InputFile) throws -> Summary {
    var summary = Summary()
    try input.forEachSource(format) { try summary.merge(analyze($0, input.name)) }
    return summary
  }

  /// Analyzes a picture of a process, and groups its threads and tasks by place.
  mutating func analyze(
    _ source: any EventSource, _ picture: ProcessPicture, _ name: String
  ) throws -> (Summary, PictureGroups) {
    let summary = try analyze(source, name)
    return (summary, analyzer.groups(of: picture))
  }

  private mutating func analyze(_ source: any EventSource, _ name: String) throws -> Summary {
    progress.begin(name)
    defer { progress.end() }
    let recorder = keepsTimelines ? TimelineRecorder(most: timelines.room) : nil
    let summary = try analyzer.analyze(source, input: name, witness: recorder)
    if let recorder { timelines.add(recorder) }
    return summary
  }

  /// Merges summary files. Reports unreadable summaries and continues.
  func merge(_ paths: [String]) -> Summary {
    var summary = Summary()
    for path in paths {
      do {
        try summary.merge(Summary(json: WholeFile.read(path)))
      } catch {
        summary.merge(unread(path, Inputs.message(of: error, path)))
      }
    }
    return summary
  }

  /// Descriptions of the information that the report lacks, each with the reason and the remedy.
  var shortcomings: [String] { whatHasNoNames + whatIsKept + whatHasChanged }

  private var whatHasChanged: [String] {
    let files = analyzer.changedSources.map { $0.split(separator: "/").last ?? "" }.sorted()
    guard let first = files.first else { return [] }
    let (which, are, them) =
      files.count == 1
      ? ("\(first)", "is", "it") : ("\(first) and \(files.count - 1) more", "are", "them")
    return [
      """
      the source has changed since the build: \(which) \(are) newer than the program, so no lines \
      of \(them) are shown and no fix edits \(them); build and run the program again, or read the \
      log beside the sources of its build (\(Option.trustSources.entry.flag) if these are the same \
      sources, as in a fresh clone)
      """
    ]
  }

  private var whatIsKept: [String] {
    unnamed.kept.sorted { $0.key < $1.key }.map { module, source in
      "the names in \(module) are from \(source): its file is gone, changed or stripped"
    }
  }

  private var whatHasNoNames: [String] {
    unnamed.whys.sorted { $0.key < $1.key }.map { module, why in
      let remedy =
        why.hasBuildID
        ? """
        pass the file of that build, or the output of `crashscan symbols \(module)` for it, with \
        --symbols PATH
        """
        : "link the module with -Xlinker --build-id"
      return "frames of \(module) have no symbols: \(why.reason); \(remedy)"
    }
  }

  private func unread(_ input: String, _ message: VisibleText) -> Summary {
    if tellsUnread { tell(message) }
    return Summary(unread: input, because: message.string)
  }
}

// Options that several analyzing commands share.
extension Option where Value == String {
  private static let rule = "the id of a rule, as crashscan rules lists them"
  private static var rules: OptionEntry.Value.CompletionKind {
    .choice(RuleBook.descriptions.map(\.id))
  }

  static let only = Option(
    "only", takes: "RULE", rule, completion: rules, isRepeatable: true, summary: "Run only RULE",
    read: { RuleBook.description(of: $0)?.id })
  static let ignore = Option(
    "ignore", takes: "RULE", rule, completion: rules, isRepeatable: true,
    summary: "Skip RULE",
    read: { RuleBook.description(of: $0)?.id })
  static let uiPatterns = Option(
    "ui-patterns", takes: "FILE", "a file", completion: .file, isRepeatable: true,
    summary: "Treat functions listed in FILE as UI work too",
    discussion: """
      A line of FILE is `module GLOB` or `function GLOB`, optionally followed by `as NAME`; * \
      matches any text, ? any character, and # begins a comment.
      """,
    read: { $0 })
}

extension Option where Value == Bool {
  fileprivate static let trustSources = Option(
    flag: "trust-sources", summary: "Show source lines of files that are newer than the program",
    discussion: """
      A line of a file that was changed after the build need not be the line that ran, so crashscan does not read \
      such files. In a fresh clone every file is new: use this option if the clone has the commit of the build.
      """)
}

extension Option where Value == Int {
  fileprivate static let exitStatus = Option(
    "exit-status", takes: "N", "a number from 0 to 255",
    summary: "Exit status of the run, as its shell or supervisor reported it",
    discussion: """
      A log cannot distinguish SIGKILL from _exit; the parent of the process can. A status above 128 \
      is 128 plus a signal: 137 is SIGKILL.
      """,
    read: { Int($0).flatMap { (0...255).contains($0) ? $0 : nil } })
}
