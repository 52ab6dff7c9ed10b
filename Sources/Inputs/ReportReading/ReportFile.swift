import IncidentModel

/// A file with reports of other tools. The content determines the format.
package struct ReportFile {
  /// The maximum size of a report that is read into memory; a console is read in blocks.
  private static let mostInMemory: UInt64 = 512 << 20
  private static let head = 1 << 16
  /// The maximum size of a file whose quotation margin is removed in memory.
  private static let mostQuoted: UInt64 = 4 << 20

  private let bytes: FileBytes
  private let name: String
  private let format: ForeignFormat?

  /// - Parameters:
  ///   - path: the file.
  ///   - name: The name in messages.
  ///   - format: The format; nil for detection.
  package init(path: String, name: String, format: ForeignFormat?) throws(ReportReadingError) {
    let file = try FileBytes(path: path)
    let isSmall = file.size <= Self.mostQuoted
    self.init(isSmall ? FileBytes(file.all) : file, name: name, format: format)
  }

  /// Creates a file from bytes in memory.
  package init(bytes: [UInt8], name: String, format: ForeignFormat?) {
    self.init(FileBytes(bytes), name: name, format: format)
  }

  /// - Parameter isWhole: true for the file itself, false for quoted text.
  private init(_ bytes: FileBytes, name: String, format: ForeignFormat?, isWhole: Bool = true) {
    let isSource =
      isWhole && format == nil && bytes.size <= Self.mostQuoted && SourceText.isSource(name)
      && !"{[".utf8.contains(bytes.read(at: 0, count: 1).first ?? 0)
    self.bytes =
      isSource ? FileBytes(SourceText.withoutLiterals(bytes.all, named: name)) : bytes
    self.name = name
    self.format = format
  }

  /// Calls `body` for each report, as a separate incident, in order.
  package func forEach<Failure: Error>(
    _ body: (any EventSource) throws(Failure) -> Void
  ) throws {
    guard bytes.size > 0 else { throw somethingElse("is empty") }
    let bare = ReportFile(try withoutLayers(), name: name, format: format, isWhole: false)
    try bare.forEachBare(body)
  }

  private func forEachBare<Failure: Error>(
    _ body: (any EventSource) throws(Failure) -> Void
  ) throws {
    let start = bytes.read(at: 0, count: Self.head)
    guard Self.isText(start) || SentryEnvelope.recognises(start) else {
      throw somethingElse("is neither a log nor a report in a format that crashscan reads")
    }
    var count = 0
    var identity = StableHash()
    identity.add(String(decoding: start.prefix(4096), as: UTF8.self))
    identity.add("\(bytes.size)")
    let recording = identity.hexadecimal
    try forEachReport(start) { report in
      count += 1
      let named = ThreadLabels.judged(NativeCode.judged(ManagedCode.judged(report)))
      let owned = PoolReading.judged(named)
      let judged = HangReading.judged(OffMainReading.judged(owned.withoutOwnWords))
      try body(ReportEvents(judged, recording: "\(recording)-\(count)"))
    }
  }

  /// The contents without encoding and without the layers that `TextLayers` removes.
  private func withoutLayers() throws -> FileBytes {
    var bytes = bytes
    if WideText.isWide(bytes.read(at: 0, count: Self.head)),
      let text = WideText.narrowed(try whole())
    {
      bytes = FileBytes(text)
    }
    let start = bytes.read(at: 0, count: Self.head)
    guard bytes.size <= Self.mostQuoted, Self.isText(start), !SentryEnvelope.recognises(start)
    else { return bytes }
    return FileBytes(TextLayers.removed(from: bytes.all, isDetected: format == nil))
  }

  /// True if the beginning of the file is text. A log may contain some zero bytes.
  private static func isText(_ head: [UInt8]) -> Bool {
    let strange = head.lazy.filter { $0 == 0 }.count
    return strange == 0 || strange * 100 <= head.count && head[0] != 0 && head[0] != 0x7f
  }

  private func forEachReport(_ start: [UInt8], _ body: (CrashReport) throws -> Void) throws {
    switch shape(of: start) {
    case .json:
      do {
        try JSONReports(try whole(), name: name, format: format).forEach(body)
      } catch let error as ReportReadingError where error.isOfSomethingElse && format == nil {
        // A log may begin with a JSON line and continue as text.
        var count = 0
        try ConsoleReports(bytes, format: nil).forEach { report in
          guard report.hasSubject else { return }
          count += 1
          try body(report)
        }
        if count == 0 { throw error }
      }
    case .crashText:
      let lines = AppleCrash.bare(Self.lines(of: try whole()))
      let reports = AppleCrash.split(lines).map { AppleCrash.read($0, header: nil) }
      let (above, below) = AppleCrash.surroundings(of: lines)
      for report in reportsBeside(reports, in: above) + reports + reportsBeside(reports, in: below)
      {
        try body(report)
      }
    case .crashlyticsText:
      let lines = CrashlyticsText.bare(Self.lines(of: try whole()))
      let report = CrashlyticsText.read(lines)
      for other in reportsBeside([report], in: CrashlyticsText.above(lines)) { try body(other) }
      try body(report)
    case .console:
      let within = format == nil && bytes.size <= Self.mostQuoted ? try document() : nil
      for report in within?.reports ?? [] { try body(report) }
      try ConsoleReports(within?.above ?? bytes, format: format).forEach(body)
    }
  }

  /// The reports in the lines around known reports of the same file, without reports of the same
  /// deaths.
  private func reportsBeside(_ known: [CrashReport], in lines: ArraySlice<Substring>)
    -> [CrashReport]
  {
    guard format == nil, lines.contains(where: { !$0.isEmpty }) else { return [] }
    var found: [CrashReport] = []
    let text = FileBytes(Array(lines.joined(separator: "\n").utf8))
    try? ConsoleReports(text, format: nil).forEach { found.append($0) }
    return found.filter { report in !known.contains { $0.isSameDeath(as: report) } }
  }

  /// The reports in a JSON document, and the text above it; nil without reports.
  private func document() throws(ReportReadingError) -> (above: FileBytes, reports: [CrashReport])?
  {
    let text = try whole()
    guard let start = JSONReports.document(in: text, below: 400), start > 0,
      let reports = try? JSONReports(Array(text[start...]), name: name, format: nil).all(),
      !reports.isEmpty
    else { return nil }
    return (FileBytes(Array(text[..<start])), reports)
  }

  private enum Shape { case json, crashText, crashlyticsText, console }

  private func shape(of start: [UInt8]) -> Shape {
    switch format {
    case .appleIPS, .sentry, .bugsnag, .kscrash, .crashlytics, .metricKit, .crashlyticsExport:
      return .json
    case .appleCrash: return .crashText
    case .crashlyticsText: return .crashlyticsText
    case .mainThreadChecker, .threadPerformanceChecker, .swiftLinux, .console, .threadSanitizer,
      .androidLogcat, .addressSanitizer, .debugger, .androidTraces, .javaTrace, .pythonTraceback,
      .managedStack, .sample, .spindump, .leaks, .javaThreads, .goTraceback, .pythonThreads,
      .dotNetThreads, .tokioDump, .windowsEvent, .kernelLog, .androidTombstone,
      .winDbg:
      return .console
    case .swiftBacktrace, .systemdCoredump, nil: break
    }
    let first = start.first { $0 > 32 && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
    if first == UInt8(ascii: "{") { return .json }
    if first == UInt8(ascii: "["), JSON(start) != nil || bytes.size > Self.head, isJSONArray(start)
    {
      return .json
    }
    if format != nil { return .console }
    let lines = Self.lines(of: start)
    if CrashlyticsText.recognises(CrashlyticsText.bare(lines)) { return .crashlyticsText }
    // A sample and a leaks report share their first fields with a crash report.
    if StackSample.recognises(lines) || LeaksReport.recognises(lines) { return .console }
    return AppleCrash.recognises(AppleCrash.bare(lines)) ? .crashText : .console
  }

  static func lines(of bytes: [UInt8]) -> [Substring] {
    let clean = LineCleaner.clean(bytes[...])
    let text = String(decoding: clean, as: UTF8.self)
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// True if a text begins with a JSON array. A console line can also begin with a bracket.
  private func isJSONArray(_ start: [UInt8]) -> Bool {
    let signs = start.lazy.filter { $0 > 32 }.prefix(2)
    return signs.elementsEqual([UInt8(ascii: "["), UInt8(ascii: "{")])
  }

  private func whole() throws(ReportReadingError) -> [UInt8] {
    guard bytes.size <= Self.mostInMemory else {
      throw ReportReadingError(
        description: "\(name): is too large for a report: \(bytes.size) bytes")
    }
    return bytes.all
  }

  private func somethingElse(_ what: String) -> ReportReadingError {
    ReportReadingError(description: "\(name): \(what)", isOfSomethingElse: true)
  }
}
