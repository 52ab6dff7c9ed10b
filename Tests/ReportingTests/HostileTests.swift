import BreadcrumbLog
import CrashAnalysis
import Foundation
import IncidentModel
import Reporting
import Testing

/// Logs that somebody has tampered with, through every format.
@Suite(.serialized) struct HostileTests {
  /// How many mutated logs; MAINSTAY_MUTATIONS asks for more than a quick run has time for.
  static let mutations =
    ProcessInfo.processInfo.environment["MAINSTAY_MUTATIONS"].flatMap(Int.init) ?? 200

  @Test(arguments: ["store-delegate", "hop-storm"])
  func mutatedLogsAreReportedOrRefused(_ way: String) throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: logOfMisbehaviour(way)))
    let path = temporary("mutated.log")
    var random = SplitMix(state: 7)
    var read = 0
    for _ in 0..<Self.mutations {
      try mutated(whole, &random).write(to: URL(fileURLWithPath: path))
      guard let report = try? report(on: path) else { continue }
      read += 1
      for (_, reporter) in reporters { #expect(!reporter.write(report).contains("\0")) }
    }
    #expect(read > Self.mutations / 2, "most mutations leave something to read")
  }

  /// Flips, sets, copies, clears or cuts a few pieces, most of them where something stands.
  private func mutated(_ whole: Data, _ random: inout SplitMix) -> Data {
    var bytes = [UInt8](whole)
    let used = bytes.indices.filter { bytes[$0] != 0 }
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let at = used.randomElement(using: &random)!
      let length = min(Int.random(in: 1...64, using: &random), bytes.count - at)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
      case 2: for place in at..<at + length { bytes[place] = 0xff }
      case 3: for place in at..<at + length { bytes[place] = 0 }
      case 4:
        let from = used.randomElement(using: &random)!
        for place in 0..<min(length, bytes.count - from) { bytes[at + place] = bytes[from + place] }
      default:
        if Int.random(in: 0..<8, using: &random) == 0 { return Data(bytes[..<at]) }
      }
    }
    return Data(bytes)
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
    let xml = XMLCheck(reporter("junit").write(Report(summary)))
    #expect(xml.isWellFormed)
  }

  /// A summary, as somebody could hand it over, with the name wherever there is one.
  private func hostile(_ name: String) throws -> Summary {
    var finding = Finding(
      rule: "off-main-ui", severity: .error, title: name,
      culprit: CodePlace(function: name, module: name, file: name, line: 1), api: name,
      mend: Finding.Mend(name, sketch: [name]), identity: name, defect: name)
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
      "ending":"crashed","crash":\(try json(name)),"unread":[\(try json(name))],\
      "counts":{\(fingerprint):1}}
      """
    return """
      {"schema":"crashscan-summary/1","logs":{"1":\(log)},\
      "examples":{\(fingerprint):\(try json(finding))}}
      """
  }
}

/// A generator whose sequence is always the same.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
