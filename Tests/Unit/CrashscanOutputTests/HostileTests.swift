import LogReading
import CrashAnalysis
import CrashscanOutput
import DeathRecords
import Foundation
import HostileLogs
import IncidentModel
import ProcessTesting
import Testing

/// Logs and summaries that somebody has tampered with, through every format. `make check-hostile` does the
/// same at length, with the command itself.
@Suite(.serialized) struct HostileTests {
  private static let mutations = 40

  @Test(.long, arguments: ["store-delegate", "hop-storm", "actor-trap", "sync-deadlock"])
  func mutatedLogsAreReportedOrRefused(_ way: String) throws {
    let whole = LogImage(
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: logOfMisbehaviour(way)))))
    let path = temporary("mutated.log")
    var random = SplitMix(state: 7)
    var read = 0
    for _ in 0..<Self.mutations {
      try Data(whole.mutated(with: whole, &random)).write(to: URL(fileURLWithPath: path))
      let recorder = TimelineRecorder()
      let summary = try? Analyzer().analyze(
        LogReader(path: path).events(), input: path, witness: recorder)
      guard let summary else { continue }
      read += 1
      var timelines = Timelines()
      timelines.add(recorder)
      let page = HTMLReporter(version: "1.0.0", timelines: timelines).write(Report(summary))
      try check(page, as: "html")
      // What one run has summarized another one merges.
      let report = Report(try Summary(json: Array(summary.json.utf8)))
      for (name, reporter) in reporters { try check(reporter.write(report), as: name) }
    }
    #expect(read > Self.mutations / 2, "most mutations leave something to read")
  }

  @Test(.long) func mutatedSummariesAreMergedOrRefused() throws {
    let parts = try ["store-delegate", "hop-storm"].map { way in
      let log = try logOfMisbehaviour(way)
      return Array(try Analyzer().analyze(LogReader(path: log).events(), input: log).json.utf8)
    }
    let other = try Summary(json: parts[1])
    var random = SplitMix(state: 7)
    var read = 0
    // Most are refused: of few it would be chance how many are left.
    for _ in 0..<5 * Self.mutations {
      let bytes = PartMutation.mutated(parts[0], with: parts[1], &random)
      guard var summary = try? Summary(json: bytes) else { continue }
      read += 1
      summary.merge(other)
      for (name, reporter) in reporters { try check(reporter.write(Report(summary)), as: name) }
    }
    #expect(read > Self.mutations / 8, "some mutations leave a summary")
  }

  @Test(arguments: [Int.min, -1, .max]) func numbersThatNoRecordingHasAreNoTrouble(_ number: Int)
    throws
  {
    let log = try logOfMisbehaviour("off-main-ui")
    let summary = try Analyzer().analyze(LogReader(path: log).events(), input: log)
    let names = ["events", "process", "line", "id", "index", "offset", "thread"]
    let text = names.reduce(summary.json) { text, name in
      text.replacing(try! Regex("\"\(name)\":[0-9-]+"), with: "\"\(name)\":\(number)")
    }
    let changed = try Summary(json: Array(text.utf8))
    #expect(changed.logs.values.first?.extent.events == number)
    for (name, reporter) in reporters { try check(reporter.write(Report(changed)), as: name) }
  }

  /// The time limit tells a trace that hangs.
  @Test(.long, .timeLimit(.minutes(2))) func aCrashOfManyThreadsBecomesATrace() throws {
    let log = Attack.crash.log(size: 4 << 20)
    try log.withUnsafeBytes { bytes in
      let source = try LogReader(contents: bytes, name: "made up").events()
      var size = 0
      let resolver = StackResolver(symbols: NoNames())
      try PerfettoTrace(source, input: "made up", resolver: resolver) { size += $0.count }.write()
      #expect(size > 1 << 20)
    }
  }

  private struct NoNames: SymbolSource {
    func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] { [] }
    func shortcoming(of module: Module) -> String? { nil }
  }

  /// Holds a report to its format, as far as that can be done quickly.
  private func check(_ text: String, as format: String) throws {
    #expect(!text.contains("\0"))
    switch format {
    case "json", "sarif": _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    case "junit": #expect(XMLCheck(text).isWellFormed)
    default: break
    }
  }

  /// Names that steer terminals, smuggle workflow commands and end XML.
  static let names = [
    "\u{1B}[2J\u{1B}]0;owned\u{07}", "a\n::error file=x::owned", "]]></failure><x",
    "\u{202E}txt.exe",
    "\u{9B}31m", "%0A::error::owned", "\"quoted\\\"", "a\r\nb",
  ]

  @Test(arguments: names) func namesAreShownAndDoNothing(_ name: String) throws {
    let summary = try hostile(name)
    for (format, reporter) in reporters where format != "colours" {
      let text = reporter.write(Report(summary))
      let controls = text.unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n" || $0 == "\u{202E}"
      }
      #expect(controls.isEmpty, "\(format)")
      let commands = text.split(separator: "\n").filter { $0.hasPrefix("::") }
      #expect(commands.count == (format == "github" ? 1 : 0))
    }
    let json = summary.json
    #expect(json.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
    #expect(!json.unicodeScalars.contains { (0x7f...0x9f).contains($0.value) })
    #expect(try Summary(json: Array(json.utf8)) == summary, "escaped as JSON has it")
    let xml = XMLCheck(reporter("junit").write(Report(summary)))
    #expect(xml.isWellFormed)
  }

  /// A summary, as somebody could hand it over, with the name wherever there is one.
  private func hostile(_ name: String) throws -> Summary {
    var finding = Finding(
      rule: "off-main-ui", severity: .error, title: name,
      culprit: CodePlace(function: name, module: name, file: name, line: 1), api: name,
      fix: Finding.Fix(
        name,
        edits: [
          Finding.Fix.Edit(
            file: name, lines: .init(first: .min, last: .max), replacement: [name, ""])
        ]), identity: name, defect: name)
    finding.input = name
    finding.incident = "1"
    finding.queue = name
    finding.thread = Finding.ThreadName(id: 1, index: 1, name: name)
    finding.evidence = [Finding.Evidence(name, place: finding.culprit)]
    finding.cause = [Finding.Step(name, thread: name, queue: name, place: finding.culprit)]
    finding.nearby = [Finding.Nearby(offset: .min, thread: 1, queue: name, text: name)]
    return try Summary(json: Array(summaryText(finding, name).utf8))
  }

  private func summaryText(_ finding: Finding, _ name: String) throws -> String {
    func json(_ value: some Encodable) throws -> String {
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
    let fingerprint = try json(finding.fingerprint)
    let log = """
      {"extent":{"monotonic":1,"hasEnded":true,"events":1},"input":\(try json(name)),\
      "format":\(try json(name)),"executable":\(try json(name)),"process":1,"opened":1,"lastSeen":2,\
      "ending":{"crash":{"signal":11,"_1":3}},"crash":\(try json(name)),"unread":[\(try json(name))],\
      "counts":{\(fingerprint):1}}
      """
    return """
      {"schema":"crashscan-summary/3","logs":{"1":\(log)},\
      "examples":{\(fingerprint):\(try json(finding))}}
      """
  }
}
