/// Reads the report at a console position that a needle marks.
enum ConsoleReader {
  enum Found {
    /// A violation that a checker printed. `ConsoleGathering` joins the violations of one process.
    case violation(MainThreadChecker.Printed)
    case report(CrashReport)
  }

  struct Reading {
    var found: Found?
    /// The line after the report.
    var end: Int
  }

  private typealias Reader = @Sendable (ConsoleText) -> (report: CrashReport, end: Int)?

  private static let readers: [(format: ForeignFormat, read: Reader)] = [
    (.swiftBacktrace, { SwiftBacktrace.read($0) }), (.swiftLinux, { SwiftLinux.read($0) }),
    (.systemdCoredump, { SystemdCoredump.read($0) }),
    (.threadSanitizer, { ThreadSanitizer.read($0) }), (.addressSanitizer, { Sanitizer.read($0) }),
    (.sample, { StackSample.read($0) }), (.leaks, { LeaksReport.read($0) }),
    (.androidTraces, { AndroidTraces.read($0) }), (.javaThreads, { JavaThreads.read($0) }),
    (.goTraceback, { GoTraceback.read($0) }), (.pythonThreads, { PythonThreads.read($0) }),
    (.dotNetThreads, { DotNetThreads.read($0) }), (.tokioDump, { TokioDump.read($0) }),
    (.console, { EngineCrash.read($0) }), (.managedStack, { ManagedStack.read($0) }),
    (.pythonTraceback, { PythonTraceback.read($0) }),
    (.threadPerformanceChecker, { ThreadPerformanceChecker.read($0) }),
    (.appleCrash, { AppleCrash.read($0) }),
    (.console, { UncaughtException.read($0) }), (.debugger, { DebuggerStack.read($0) }),
    (.console, { ToolkitComplaint.read($0) }), (.console, { RustPanic.read($0) }),
    (.console, { ChromiumCheck.read($0) }), (.console, { EngineComplaint.read($0) }),
    (.console, { Assertion.read($0) }), (.console, { StandstillLines.read($0) }),
    (.androidTombstone, { TombstoneReport.read($0) }), (.kernelLog, { KernelReport.read($0) }),
    (.console, { HeapExhaustion.read($0) }), (.console, { LoopWatch.read($0) }),
    (.goTraceback, { GoRace.read($0) }), (.kernelLog, { KernelLocks.read($0) }),
    (.console, { AccessConflict.read($0) }), (.console, { NodeError.read($0) }),
    (.console, { DartError.read($0) }), (.console, { QtFatal.read($0) }),
    (.winDbg, { WinDbg.read($0) }), (.console, { NativeFatal.read($0) }),
    (.console, { ContinuationMisuse.read($0) }),
  ]

  /// - Parameter format: the only format to look for; nil for all formats.
  static func read(_ text: ConsoleText, only format: ForeignFormat?) -> Reading {
    let bare = text.bare
    // Only logcat prefixes each line with the thread, so logcat is tried on the text with prefixes.
    let isLogcat = format == nil || format == .console || format == .androidLogcat
    if isLogcat, let (report, end) = Logcat.read(text) {
      return Reading(found: .report(report), end: end)
    }
    var reading = read(bare: bare, only: format)
    reading.end = max(text.middle + 1, text.line(at: bare.offset(ofLine: reading.end)))
    guard reading.found == nil, let inner = bare.withoutContainer?.bare else { return reading }
    // Most readers know their own lines only at the start of a line.
    var rest = read(bare: inner, only: format)
    rest.end = max(text.middle + 1, text.line(at: inner.offset(ofLine: rest.end)))
    return rest.found == nil ? reading : rest
  }

  private static func read(bare text: ConsoleText, only format: ForeignFormat?) -> Reading {
    let nothing = Reading(found: nil, end: text.middle + 1)
    if text.lines[text.middle].text.contains(MainThreadChecker.header) {
      guard format == nil || format == .console || format == .mainThreadChecker,
        let printed = MainThreadChecker.read(text)
      else { return nothing }
      return Reading(found: .violation(printed), end: printed.end)
    }
    let format = format == .spindump ? .sample : format
    for reader in readers where format == nil || format == .console || format == reader.format {
      if let (report, end) = reader.read(text) { return Reading(found: .report(report), end: end) }
    }
    return nothing
  }
}

/// The substrings that locate reports in a console. Rare substrings keep the search fast.
enum ConsoleNeedles {
  static let all: [String] = alone + lists.joined()

  private static let alone: [String] = [
    MainThreadChecker.header, ThreadPerformanceChecker.header, SwiftLinux.header,
    ThreadSanitizer.header, SystemdCoredump.header, AppleCrash.header, SwiftBacktrace.jsonHeader,
    GoRace.header,
  ]

  private static let lists: [[String]] = [
    SwiftBacktrace.headers, Logcat.needles, Logcat.claims, Sanitizer.headers,
    UncaughtException.needles, DebuggerStack.needles, Assertion.needles, StackSample.needles,
    LeaksReport.needles, AndroidTraces.needles, ManagedStack.needles, ToolkitComplaint.needles,
    RustPanic.needles, ChromiumCheck.needles,
    PythonTraceback.needles, JavaThreads.needles, GoTraceback.needles, PythonThreads.needles,
    DotNetThreads.needles, TokioDump.needles, StandstillLines.needles, EngineComplaint.needles,
    TombstoneReport.needles, KernelReport.needles, HeapExhaustion.needles, EngineCrash.needles,
    LoopWatch.needles, KernelLocks.needles, AccessConflict.needles, NodeError.needles,
    DartError.needles, QtFatal.needles, WinDbg.needles, NativeFatal.needles,
    ContinuationMisuse.needles,
  ]
}

/// Joins the violations of one process into one report and drops repeated violations.
struct ConsoleGathering {
  private struct Key: Hashable {
    var api: String
    var thread: Int
    var frames: [CrashReport.Frame]
  }

  /// The properties that identify a repeated report.
  private struct Fingerprint: Equatable {
    var title: String
    var process: Int
    var stacks: [[CrashReport.Frame]]

    init(_ report: CrashReport) {
      title = (report.failure?.title ?? "") + (report.failure?.texts.first ?? "")
      process = report.processID
      stacks = report.threads.map(\.frames) + [report.failure?.thrown ?? []]
    }
  }

  private static let most = 4096
  /// Maximum distance in bytes between two reports of one crash, for example the runtime's and the
  /// debugger's.
  private static let reach: UInt64 = 4096
  private var last: Fingerprint?
  /// The last crash, and the offset where its report ended.
  private var died: (report: CrashReport, end: UInt64)?
  private let format: ForeignFormat?
  private var open: CrashReport?
  private var known: Set<Key> = []
  private var threads: Set<Int> = []

  init(format: ForeignFormat?) { self.format = format }

  /// Accepts a result with its range; returns the reports that are complete now.
  mutating func take(
    _ found: ConsoleReader.Found?, at place: UInt64, to end: UInt64
  ) -> [CrashReport] {
    guard let found else { return [] }
    if case .report(let report) = found {
      // A terminal may repeat a crash report.
      let isAgain = last.map { $0 == Fingerprint(report) } ?? false
      last = Fingerprint(report)
      if isAgain { return [] }
      if let died, place < died.end + Self.reach, Self.isOneDeath(died.report, report) {
        self.died = (Self.joinedDeaths(died.report, report), end)
        return []
      }
    }
    let before = finishDeath()
    var complete = take(found)
    if let last = complete.last, last.processID != 0, last.failure?.isFatal == true {
      complete.removeLast()
      died = (last, end)
    }
    return before + complete
  }

  private mutating func finishDeath() -> [CrashReport] {
    defer { died = nil }
    return died.map { [$0.report] } ?? []
  }

  /// True if both reports describe the same death. Containers may give several processes the same
  /// id, so two reports of one tool are two deaths; Apple's system log never reuses an id that
  /// soon.
  private static func isOneDeath(_ one: CrashReport, _ other: CrashReport) -> Bool {
    let isSameWay = one.format == other.format && one.format != .console
    return one.processID == other.processID && other.failure?.isFatal == true && !isSameWay
  }

  /// The report with the larger stack, plus the messages of the other report.
  private static func joinedDeaths(_ one: CrashReport, _ other: CrashReport) -> CrashReport {
    let size = { (report: CrashReport) in
      max(report.failure?.thrown.count ?? 0, report.failed?.frames.count ?? 0)
    }
    let (kept, rest) = size(other) > size(one) ? (other, one) : (one, other)
    var report = joined(rest, kept)
    let known = report.failure?.texts ?? []
    report.failure?.texts += (rest.failure?.texts ?? []).filter { !known.contains($0) }
    return report
  }

  private mutating func take(_ found: ConsoleReader.Found) -> [CrashReport] {
    switch found {
    case .report(let report):
      let isSame = open.map { $0.processID != 0 && $0.processID == report.processID } ?? false
      guard isSame, let open else {
        // A process that survived may print more violations.
        guard report.failure == nil, report.hang == nil, report.toldHang == nil,
          report.processID != 0
        else {
          return finish() + [report]
        }
        defer { self.open = report }
        return finish()
      }
      let joined = Self.joined(open, OffMainReading.judged(report))
      if joined.failure == nil {
        self.open = joined
        return []
      }
      _ = finish()
      return [joined]
    case .violation(let printed):
      let isOther =
        open.map { report in
          printed.processID.map { $0 != report.processID && report.processID != 0 } ?? false
        } ?? false
      let complete = isOther || known.count >= Self.most ? finish() : []
      add(printed)
      return complete
    }
  }

  /// Joins the violations that a process printed before its report with the report.
  private static func joined(_ before: CrashReport, _ report: CrashReport) -> CrashReport {
    var report = report
    report.violations = before.violations + report.violations
    let known = Set(report.threads.map(\.number))
    report.threads += before.threads.filter { !known.contains($0.number) }
    if report.process.isEmpty { report.process = before.process }
    report.ownImages.formUnion(before.ownImages)
    return report
  }

  /// Returns all pending reports at the end of the input.
  mutating func finishAll() -> [CrashReport] { finishDeath() + finish() }

  private mutating func finish() -> [CrashReport] {
    defer {
      open = nil
      known = []
      threads = []
    }
    return open.map { [$0] } ?? []
  }

  /// Modifies the report in place: copying all violations for each new violation would be
  /// quadratic.
  private mutating func add(_ printed: MainThreadChecker.Printed) {
    if open == nil { open = CrashReport(.mainThreadChecker) }
    if let id = printed.processID, open?.processID == 0 { open?.processID = id }
    if let process = printed.process, open?.process.isEmpty == true {
      open?.process = process
      open?.ownImages = [process]
    }
    let key = Key(
      api: printed.violation.api, thread: printed.thread.number,
      frames: printed.violation.frames)
    guard known.insert(key).inserted else { return }
    open?.violations.append(printed.violation)
    if threads.insert(printed.thread.number).inserted { open?.threads.append(printed.thread) }
  }
}
