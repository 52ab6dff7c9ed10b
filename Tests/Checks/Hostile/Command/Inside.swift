import LogReading
import CrashAnalysis
import CrashscanOutput
import DeathRecords
import Glibc
import IncidentModel
import Symbolication
import TextOutput

/// Makes every form of output of an input within this process, by the same calls as crashscan's
/// commands: twenty times as many inputs in the same time as with a process for each form.
struct Inside {
  /// Something that ought not to be in an output.
  struct Complaint {
    var form: String
    var words: String
  }

  private var symbols: Names
  private let analyzer: Analyzer
  private var complaints: [Complaint] = []
  /// How many outputs were made.
  private(set) var outputs = 0

  init() {
    symbols = Names()
    analyzer = Analyzer(symbols: symbols)
  }

  /// Puts a log through every form; what is wrong with what came of it.
  mutating func judge(log path: String) -> [Complaint] {
    complaints = []
    // An input that is refused is refused by every form alike.
    guard let reader = try? LogReader(path: path) else { return [] }
    let recorder = TimelineRecorder()
    if let source = try? reader.events(),
      let summary = try? analyzer.analyze(source, input: path, witness: recorder)
    {
      var timelines = Timelines()
      timelines.add(recorder)
      take(summary.json, "summarize")
      judge(Report(summary), timelines)
      repro(Report(summary), reader)
      merge(summary)
    }
    trace(reader, path)
    death(reader, path)
    show(reader, path)
    return complaints
  }

  /// Puts summaries, as files have them, through every form.
  mutating func judge(parts: [[UInt8]]) -> [Complaint] {
    complaints = []
    var whole = Summary()
    for part in parts {
      if let summary = try? Summary(json: part) { whole.merge(summary) }
    }
    take(whole.json, "merge summary")
    judge(Report(whole), Timelines())
    return complaints
  }

  // MARK: Forms

  private mutating func judge(_ report: Report, _ timelines: Timelines) {
    let layout = TextLayout(width: 100)
    take(TextReporter(layout: layout, isVerbose: true).write(report), "report text")
    take(HTMLReporter(version: "0", timelines: timelines).write(report), "report html")
    take(JSONReporter().write(report), "report json")
    take(SARIFReporter(version: "0", layout: layout).write(report), "report sarif")
    take(GitHubReporter(layout: layout).write(report), "report github")
    take(GCCReporter(layout: layout).write(report), "report gcc")
    take(JUnitReporter().write(report), "report junit")
  }

  /// What one run has written another one must read, and make the same of.
  private mutating func merge(_ summary: Summary) {
    guard let again = try? Summary(json: Array(summary.json.utf8)), again == summary else {
      return complaints.append(Complaint(form: "summarize", words: "summary that is not read back"))
    }
    var both = again
    both.merge(summary)
    if both != summary {
      complaints.append(Complaint(form: "merge", words: "merging with itself that changes it"))
    }
  }

  private mutating func repro(_ report: Report, _ reader: LogReader) {
    for (index, entry) in report.entries.prefix(8).enumerated() {
      guard let source = try? reader.events(),
        let moves = try? LifecycleMoves(source, until: entry.finding.wall)
      else { return }
      if let schedule = ReproSchedule(entry.finding, moves) {
        take(ReproWriter(entry.finding, number: index + 1, schedule).write(), "repro")
      } else {
        take("\(ReproScenario.refusal(of: entry.finding))", "repro")
      }
    }
  }

  private mutating func trace(_ reader: LogReader, _ path: String) {
    if let source = try? reader.events() {
      var bytes = 0
      try? PerfettoTrace(source, input: path, resolver: resolver) { bytes += $0.count }.write()
      outputs += 1
    }
    if let source = try? reader.events() {
      let flames = ViolationFlames(resolver: resolver)
      guard (try? flames.add(source, input: path)) != nil else { return }
      take(flames.collapsed, "collapsed")
      take(flames.speedscope("0"), "speedscope")
    }
  }

  private mutating func death(_ reader: LogReader, _ path: String) {
    guard let source = try? reader.events(),
      let death = try? DeathRecord(source, input: path, crumbs: 100, symbols: { symbols })
    else { return }
    for form in DeathFormat.allCases { take(death.written(as: form), "death \(form)") }
  }

  private mutating func show(_ reader: LogReader, _ path: String) {
    guard let incident = try? reader.read() else { return }
    let layout = TextLayout(width: 100)
    let views: [(String, any CrumbView)] = [
      ("show text", CrumbListing(path: path, layout: layout, isVerbose: true, resolver: resolver)),
      ("show json", CrumbDocument(path: path, resolver: resolver)),
      ("show sentry", SentryDocument(version: "0", resolver: resolver)),
    ]
    for (form, view) in views {
      var view = view
      var text = view.begin(incident)
      view.learn(incident, showing: incident.crumbs)
      for crumb in incident.crumbs { text += view.crumb(crumb) }
      take(text + view.end(incident), form)
    }
  }

  private var resolver: StackResolver { StackResolver(symbols: symbols) }

  private mutating func take(_ text: String, _ form: String) {
    outputs += 1
    if let steering = Steering.first(in: text.utf8) {
      complaints.append(
        Complaint(form: form, words: "output that steers a terminal, \(steering)"))
    }
  }
}

/// Names of frames, from files that are opened once for all inputs.
private struct Names: SymbolSource {
  /// Shared by all that name frames.
  private final class Files {
    var symbolicator = Symbolicator()
  }

  private let files = Files()

  func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    files.symbolicator.frames(at: address, in: module)
  }

  func shortcoming(of module: Module) -> String? {
    "\(files.symbolicator.moduleStatus(of: module))"
  }
}
