/// A form of output, and how crashscan is asked for it.
struct Form: Sendable {
  let name: String
  /// Whether steering characters have no place in it.
  let isText: Bool
  private let before: [String]
  private let after: [String]

  private init(_ name: String, _ before: [String], _ after: [String] = [], isText: Bool = true) {
    self.name = name
    self.before = before
    self.after = after
    self.isText = isText
  }

  func arguments(_ files: [String]) -> [String] { before + files + after }

  private static let judged = ["html", "json", "sarif", "github", "gcc", "junit"]

  private static func report(_ command: String) -> [Form] {
    [Form("\(command) text", [command], ["--verbose", "--no-color"])]
      + judged.map { Form("\(command) \($0)", [command], ["--format", $0]) }
  }

  /// Every form that is made of a log, packed or not.
  static let ofAnyLog: [Form] =
    report("report") + [
      Form("perfetto", ["report"], ["--format", "perfetto"], isText: false),
      Form("speedscope", ["report"], ["--format", "speedscope"]),
      Form("collapsed", ["report"], ["--format", "collapsed"]),
      Form("summarize", ["summarize"]), Form("repro", ["repro"]),
    ]

  /// Every form that is made of a log that is not packed.
  static let ofPlainLog: [Form] =
    ofAnyLog + [
      Form("show text", ["show"], ["--verbose", "--no-color"]),
      Form("show json", ["show"], ["--format", "json"]),
      Form("show sentry", ["show"], ["--format", "sentry"]),
      Form("death", ["show"], ["--format", "death"]),
      Form("otlp", ["show"], ["--format", "otlp"]),
      Form("sentry-envelope", ["show"], ["--format", "sentry-envelope"]),
      Form("watch", ["watch"], ["--last", "1000", "--no-color"]),
    ]

  /// The form for other people's reports: only what reads them differs from a log's.
  static let ofReports = [Form("report json", ["report"], ["--format", "json"])]

  /// Every form that is made of summaries.
  static let ofParts: [Form] =
    report("merge") + [Form("merge summary", ["merge"], ["--format", "summary"])]
}
