import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import CrashscanOutput
import Testing
import TextOutput

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Each format, of real logs, as its readers take it.
@Suite(.serialized) struct FormatTests {
  static let ways = [
    "store-delegate", "background-layout", "hop-storm", "own-deadlock", "killed", "affinity-drift",
  ]

  @Test(
    .enabled(if: Validator.isAvailable, "needs python3 with jsonschema"),
    arguments: ways.inShort(oneOf: 3))
  func jsonIsAsItsSchemaSays(_ way: String) throws {
    let json = reporter("json").write(try report(on: logOfMisbehaviour(way)))
    #expect(Validator.complaint(about: json) == nil)
  }

  /// In the text only where one was late; in JSON all of them.
  @Test(.enabled(if: Validator.isAvailable, "needs python3 with jsonschema"))
  func answersAreToldOverTime() throws {
    let minutes = [("pool", "medium", 61_000), ("pool", "medium", 300), ("queue", "rows", 200)]
    let crumbs = minutes.enumerated().map { at, minute in
      Crumb(
        monotonic: UInt64(at), wall: UInt64(at + 1) * 60_000_000_000, thread: 1, number: UInt32(at),
        queue: nil, onMain: .no, kind: .note, level: .debug, category: "latency",
        message: "answers",
        data: [
          ("executor", .string(minute.0)), ("name", .string(minute.1)), ("beats", .integer(9)),
          ("median", .integer(128)), ("p99", .integer(256)), ("slowest", .integer(Int64(minute.2))),
        ], stack: nil, hop: nil, isMessageCut: false, isDataCut: false, isInterrupting: false)
    }
    let report = Report(try Analyzer().analyze(MadeUpEvents(crumbs), input: "till.log"))
    let told = [false, true].map {
      TextReporter(layout: TextLayout(width: 200), isVerbose: $0).write(report)
    }
    #expect(
      told[0].contains(
        "the cooperative pool (medium) took up to 61 ms to answer (2 min before the end); "
          + "median of the last minute: 128 µs; slowest answer of each minute: █▁\n"), "\(told[0])")
    #expect(!told[0].contains("queue rows"))
    #expect(told[1].contains("queue rows took up to 200 µs to answer (in the last minute); "))
    let json = reporter("json").write(report)
    #expect(json.contains("queue rows") && Validator.complaint(about: json) == nil)
  }

  @Test(.enabled(if: Validator.isAvailable, "needs python3 with jsonschema"))
  func schemaRefusesWhatIsNoReport() {
    #expect(Validator.complaint(about: "{\"schema\":\"crashscan-report/3\",\"inputs\":[]}") != nil)
    #expect(Validator.complaint(about: "{}") != nil)
  }

  @Test(arguments: ways) func sarifNamesItsRulesAndPlaces(_ way: String) throws {
    let sarif = reporter("sarif").write(try report(on: logOfMisbehaviour(way)))
    let log = try #require(JSONSerialization.jsonObject(with: Data(sarif.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(log["version"] as? String == "2.1.0")
    #expect(!results.isEmpty)
    for result in results {
      let rule = rules[try #require(result["ruleIndex"] as? Int)]
      #expect(rule["id"] as? String == result["ruleId"] as? String)
      #expect(["error", "warning", "note"].contains(result["level"] as? String))
      #expect((result["locations"] as? [Any])?.count == 1)
      let fingerprints = try #require(result["partialFingerprints"] as? [String: String])
      let always: Set = ["crashscan/v1", "primaryLocationLineHash"]
      #expect(always.union(["crashscanBuild/v1"]).isSuperset(of: fingerprints.keys))
      #expect(always.isSubset(of: fingerprints.keys))
    }
  }

  /// The pattern is that of VS Code's `$gcc` problem matcher.
  @Test(arguments: ways) func diagnosticsAreThoseOfACompiler(_ way: String) throws {
    let report = try report(on: logOfMisbehaviour(way))
    let lines = reporter("gcc").write(report).split(separator: "\n")
    let matcher = #/(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error|note):\s+(.*)/#
    var columns = 0
    for line in lines {
      #expect(line.wholeMatch(of: #/.*?: (warning|error|note): .*/#) != nil, "\(line)")
      guard let match = line.wholeMatch(of: matcher), let number = Int(match.2),
        let source = try? String(contentsOfFile: String(match.1), encoding: .utf8)
      else { continue }
      let code = source.split(separator: "\n", omittingEmptySubsequences: false)[number - 1]
      #expect(Int(match.3) == code.prefix { $0 == " " }.count + 1, "\(line)")
      columns += 1
    }
    let places = report.entries.filter { $0.finding.culprit?.file?.hasPrefix("/") ?? false }
    #expect(columns > 0 || places.isEmpty)
  }

  @Test(
    .enabled(if: SARIFCheck.isAvailable, "needs scripts/setup check"),
    arguments: ways.inShort(oneOf: 3))
  func sarifIsAsItsPublicSchemaAndCodeScanningAsk(_ way: String) throws {
    let sarif = reporter("sarif").write(try report(on: logOfMisbehaviour(way)))
    #expect(SARIFCheck.complaint(about: sarif) == nil)
  }

  @Test(.enabled(if: SARIFCheck.isAvailable, "needs scripts/setup check"))
  func publicSchemaRefusesWhatIsNoSARIF() throws {
    let sarif = reporter("sarif").write(try report(on: logOfMisbehaviour("hop-storm")))
    for (right, wrong) in [
      ("\"version\":\"2.1.0\"", "\"version\":\"2.1.1\""), ("\"level\":", "\"levl\":"),
      ("primaryLocationLineHash", "lineHash"),
    ] {
      #expect(sarif.contains(right))
      #expect(SARIFCheck.complaint(about: sarif.replacing(right, with: wrong)) != nil)
    }
  }

  @Test(arguments: ways) func junitIsXML(_ way: String) throws {
    let xml = reporter("junit").write(try report(on: logOfMisbehaviour(way)))
    let parser = XMLParser(data: Data(xml.utf8))
    let counter = CaseCounter()
    parser.delegate = counter
    #expect(parser.parse())
    #expect(counter.cases >= RuleBook.descriptions.count)
    #expect(counter.failures + counter.notes > 0)
  }

  @Test func typicalCrashFitsOnOneScreen() throws {
    let report = try report(on: logOfMisbehaviour("store-delegate"))
    let text = TextReporter(layout: TextLayout(width: 120)).write(report)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 40, "\(text)")
  }

  @Test func baselineOfAReportKnowsItsFindings() throws {
    let report = try report(on: logOfMisbehaviour("store-delegate"))
    let json = reporter("json").write(report)
    #expect(
      Baseline.fingerprints(json: Array(json.utf8)) == Set(report.entries.map(\.fingerprint)))
    #expect(Baseline.fingerprints(json: Array("{\"findings\":[]}".utf8)) == nil)
  }
}

private final class CaseCounter: NSObject, XMLParserDelegate {
  var cases = 0
  var failures = 0
  var notes = 0

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    switch name {
    case "testcase": cases += 1
    case "failure": failures += 1
    case "system-out": notes += 1
    default: break
    }
  }
}
