import IncidentModel

/// Reads the reports of a JSON file: one document, several documents, JSON lines, or a header
/// followed by text.
struct JSONReports {
  private let bytes: [UInt8]
  private let name: String
  private let format: ForeignFormat?

  init(_ bytes: [UInt8], name: String, format: ForeignFormat?) {
    self.bytes = bytes
    self.name = name
    self.format = format
  }

  func forEach(_ body: (CrashReport) throws -> Void) throws {
    let isEnvelope = (format == nil || format == .sentry) && SentryEnvelope.recognises(bytes)
    let documents =
      isEnvelope
      ? JSONDocuments(each: SentryEnvelope.events(bytes)) : JSONDocuments(bytes)
    var reports = try read(documents.pieces)
    if reports.isEmpty { return try forEachLogged(documents, isEnvelope, body) }
    reports[reports.count - 1].unread += documents.unread
    for report in reports { try body(report) }
  }

  /// Calls `body` for the reports in the messages of a JSON log, or in string values of documents
  /// of an unknown format.
  private func forEachLogged(
    _ documents: JSONDocuments, _ isEnvelope: Bool, _ body: (CrashReport) throws -> Void
  ) throws {
    let log = isEnvelope ? LoggedText() : LoggedText(documents)
    var isFound = false
    for text in [log.entries, log.others] where !isFound && !text.isEmpty {
      if let start = JSONReports.document(in: text, below: 400) {
        let document = Array(text[start...])
        let reports = try? JSONReports(document, name: name, format: format).all()
        isFound = reports?.isEmpty == false
        for report in reports ?? [] { try body(report) }
        if isFound { continue }
      }
      let lines = CrashlyticsText.bare(ReportFile.lines(of: text))
      if format == nil, CrashlyticsText.recognises(lines) {
        isFound = true
        try body(CrashlyticsText.read(lines))
        continue
      }
      let isList = text == log.others
      try ConsoleReports(FileBytes(text), format: format).forEach { report in
        // A message without a process or a stack, inside a document that is no report, comes from a
        // list of patterns.
        if isList, !report.hasSubject { return }
        isFound = true
        try body(report)
      }
    }
    if log.count > 1, !documents.unread.isEmpty {
      var rest = CrashReport(.console)
      rest.unread = documents.unread
      isFound = true
      try body(rest)
    }
    // A log without reports is still a valid log.
    guard isFound || log.count > 1 else {
      let what =
        isEnvelope
        ? "a Sentry envelope without an event"
        : "JSON, but not a report in a format that crashscan reads"
      throw ReportReadingError(description: "\(name): is \(what)", isOfSomethingElse: true)
    }
  }

  /// The offset of a JSON document below introductory lines; nil without a document.
  ///
  /// - Parameter words: The maximum number of introductory lines.
  static func document(in text: [UInt8], below words: Int) -> Int? {
    for line in text.split(separator: 10).prefix(words + 1) {
      let bare = line.drop { $0 <= 32 || [0xef, 0xbb, 0xbf].contains($0) }
      guard bare.first == UInt8(ascii: "{"), bare.count < 3 || bare.contains(UInt8(ascii: "\""))
      else { continue }
      return bare.startIndex
    }
    return nil
  }

  /// The reports in a document that is embedded in another text; empty if the document is a log.
  func all() throws(ReportReadingError) -> [CrashReport] {
    let isEnvelope = SentryEnvelope.recognises(bytes)
    let documents =
      isEnvelope ? JSONDocuments(each: SentryEnvelope.events(bytes)) : JSONDocuments(bytes)
    return try read(documents.pieces)
  }

  private func read(_ pieces: [JSONDocuments.Piece]) throws(ReportReadingError) -> [CrashReport] {
    let documents = pieces.compactMap { piece -> JSON? in
      if case .json(let json, _) = piece { json } else { nil }
    }
    if format == .crashlytics
      || (format == nil && documents.contains(where: Crashlytics.recognises))
    {
      return [Crashlytics.read(documents)]
    }
    var reports: [CrashReport] = []
    var header: JSON?
    var refused: ReportReadingError?
    for piece in pieces {
      switch piece {
      case .json(let json, _):
        if format == nil || format == .appleIPS, isHeader(json) {
          refused = refused ?? refusal(of: json)
          header = json
        } else {
          reports += report(json, header: header)
          header = nil
        }
      case .text(let range):
        let text = String(decoding: bytes[range], as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if StackSample.recognises(lines) {
          try? ConsoleReports(FileBytes(Array(bytes[range])), format: nil).forEach {
            reports.append($0)
          }
          header = nil
          continue
        }
        guard AppleCrash.recognises(lines) else { continue }
        reports += AppleCrash.split(lines).map { AppleCrash.read($0, header: header) }
        header = nil
      }
    }
    if let refused, reports.isEmpty { throw refused }
    return reports
  }

  /// The report in a document whose format the user named.
  private func report(_ json: JSON, as format: ForeignFormat, header: JSON?) -> [CrashReport] {
    guard json.isObject else {
      return json.array.flatMap { report($0, as: format, header: nil) }
    }
    if Sentry.isEnvelopeLine(json) { return [] }
    switch format {
    case .appleIPS: return [AppleIPS.read(json, header: header)]
    case .sentry: return KSCrash.recognises(json) ? KSCrash.read(json) : [Sentry.read(json)]
    case .bugsnag: return Bugsnag.read(json)
    case .kscrash: return KSCrash.read(json)
    case .metricKit: return MetricKit.read(json)
    case .crashlyticsExport: return [CrashlyticsExport.read(json)]
    case .swiftBacktrace: return [SwiftBacktrace.read(json)]
    case .systemdCoredump: return [SystemdCoredump.read(json)].compactMap(\.self)
    default: return []
    }
  }

  private func isHeader(_ json: JSON) -> Bool {
    json["bug_type"] != nil && json["threads"] == nil && json["exception"] == nil
      && json["usedImages"] == nil
  }

  /// The error for an `.ips` header whose type is no crash or hang; nil for a supported type. Apple
  /// also uses the format for other data.
  private func refusal(of header: JSON) -> ReportReadingError? {
    guard let type = header["bug_type"]?.text, !["109", "309", "308", "385"].contains(type) else {
      return nil
    }
    let what = [
      "151": "a kernel panic", "210": "a kernel panic", "288": "a stackshot",
      "298": "a memory report",
    ]
    return ReportReadingError(
      description:
        "\(name): is not the crash of a program, but \(what[type] ?? "a report of type \(type)")",
      isOfSomethingElse: true)
  }

  private func report(_ json: JSON, header: JSON?) -> [CrashReport] {
    if let format { return report(json, as: format, header: header) }
    if SwiftBacktrace.recognises(json) { return [SwiftBacktrace.read(json)] }
    if CrashlyticsExport.recognises(json) { return [CrashlyticsExport.read(json)] }
    if Bugsnag.recognises(json) { return Bugsnag.read(json) }
    if KSCrash.recognises(json) { return KSCrash.read(json) }
    if Sentry.recognises(json) { return [Sentry.read(json)] }
    if MetricKit.recognises(json) { return MetricKit.read(json) }
    if SystemdCoredump.recognises(json) { return [SystemdCoredump.read(json)].compactMap(\.self) }
    if AppleIPS.recognises(json) || (header != nil && json["procName"] != nil) {
      return [AppleIPS.read(json, header: header)]
    }
    if JetsamEvent.recognises(json) { return JetsamEvent.read(json) }
    if json.isArray { return json.array.flatMap { report($0, header: nil) } }
    return []
  }
}
