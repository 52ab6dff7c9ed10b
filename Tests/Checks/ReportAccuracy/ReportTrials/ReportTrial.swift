import CrashAnalysis
import ReportReading
import Glibc
import IncidentModel
import ProcessTesting

/// A report whose content is known, and what reading it must say: a line of `expected.tsv`.
package struct ReportTrial: Sendable {
  /// What a report is there to show.
  package enum Kind: String, CaseIterable, Sendable {
    case shown
    case lookAlike = "look-alike"
    case damaged
  }

  /// The rules that accuse somebody of work off the main queue, or of holding that queue, a pool or an event loop.
  package static let accusations: Set<String> = [
    "off-main-ui", "unhopped-callback", "ui-after-background", "isolation-trap", "wrong-executor",
    "sync-deadlock", "main-blocked", "pool-blocked", "loop-blocked",
  ]

  package let file: String
  package let path: String
  package let kind: Kind
  /// `error` where the file is no report and that must be said.
  package let format: String
  package let incidents: Int
  package let rules: Set<String>
  package let culprit: String?
  package let api: String?
  package let thread: Int?
  package let queue: String?

  /// Every report of the fixtures.
  package static let all = trials(
    in: Repository.root.path + "/Tests/Fixtures/reports")

  /// The reports of a folder that has an `expected.tsv`.
  package static func trials(in directory: String) -> [ReportTrial] {
    let lines = text(directory + "/expected.tsv").split(separator: "\n").dropFirst()
    return lines.compactMap { ReportTrial(line: $0, directory: directory + "/") }
  }

  private init?(line: Substring, directory: String) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 9, let kind = Kind(rawValue: fields[1]), let count = Int(fields[3]) else {
      return nil
    }
    let known = { (field: String) in field == "-" ? nil : field }
    file = fields[0]
    path = directory + fields[0]
    self.kind = kind
    format = fields[2]
    incidents = count
    rules = Set(known(fields[4])?.split(separator: ",").map(String.init) ?? [])
    culprit = known(fields[5])
    api = known(fields[6])
    thread = known(fields[7]).flatMap { Int($0) }
    queue = known(fields[8])
  }

  private static func text(_ path: String) -> String {
    String(decoding: bytes(of: path), as: UTF8.self)
  }

  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let got = fread(&piece, 1, piece.count, file), got > 0 { bytes += piece[..<got] }
    return bytes
  }
}

/// What reading a report said.
package struct ReportReading: Sendable {
  /// Why it is no report, if it is none.
  package let failure: String?
  package let recordings: [RecordingSummary]
  package let entries: [Report.Entry]

  package init(path: String) {
    self.init(path) { () throws(ReportReadingError) in
      try ReportFile(path: path, name: path, format: nil)
    }
  }

  package init(bytes: [UInt8], name: String) {
    self.init(name) { ReportFile(bytes: bytes, name: name, format: nil) }
  }

  private init(_ path: String, _ open: () throws(ReportReadingError) -> ReportFile) {
    var summary = Summary()
    do {
      let file = try open()
      let analyzer = Analyzer()
      try file.forEach { source in summary.merge(try analyzer.analyze(source, input: path)) }
      failure = nil
    } catch {
      failure = "\(error)"
    }
    let report = Report(summary)
    recordings = report.recordings
    entries = report.entries
  }

  package var accusing: [Report.Entry] {
    entries.filter { ReportTrial.accusations.contains($0.finding.rule) }
  }

  package var accusations: Set<String> { Set(accusing.map(\.finding.rule)) }
}
