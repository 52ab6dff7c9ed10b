import IncidentModel
import CLogFormat

/// The time of an event in a report.
struct EventTime {
  /// A position in the order of events; equals the clock time if the report has one.
  var order: UInt64
  /// The clock time in nanoseconds since 1970; nil if the report has no time.
  var wall: UInt64?
}

/// Converts the parts of a report into the events and the crash that rules analyse.
struct EventBuilder {
  private let report: CrashReport
  private let queues: QueueTable
  private let places: [Int: Int]
  private var reading: FrameReading
  private var number: UInt32 = 0

  init(_ report: CrashReport, queues: QueueTable) {
    self.report = report
    self.queues = queues
    reading = FrameReading(ownImages: report.ownImages)
    let numbered = report.threads.enumerated().map { ($0.element.number, $0.offset) }
    places = Dictionary(numbered, uniquingKeysWith: { first, _ in first })
  }

  private func thread(numbered number: Int) -> CrashReport.Thread? {
    places[number].map { report.threads[$0] }
  }

  var names: FrameNames { reading.names }

  var threads: [Int: IncidentThread] {
    let threads = report.threads.map { thread in
      IncidentThread(ordinal: ordinal(thread.number), kernelID: thread.id, name: thread.name)
    }
    return Dictionary(threads.map { ($0.ordinal, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The process and thread that the report is about.
  var subject: IncidentSubject? {
    let number =
      report.failure?.thread ?? report.violations.first?.thread ?? report.hang?.thread
    let thread = number.flatMap(report.thread).flatMap {
      $0.number == CrashReport.unknownThread ? nil : $0
    }
    guard let failure = report.failure else {
      return thread.map { IncidentSubject(thread: name($0), queue: $0.queue, text: "") }
    }
    let texts = [failure.title] + failure.texts.prefix(1)
    return IncidentSubject(
      thread: thread.map(name), queue: thread?.queue,
      text: texts.filter { !$0.isEmpty }.joined(separator: ": "))
  }

  private func name(_ thread: CrashReport.Thread) -> Finding.ThreadName {
    Finding.ThreadName(id: thread.id, index: ordinal(thread.number), name: thread.name)
  }

  func ordinal(_ number: Int) -> Int {
    report.numbersThreads || number == CrashReport.unknownThread
      ? Int(UInt32(truncatingIfNeeded: number)) : IncidentThread.unnumbered + number
  }

  // MARK: Events

  mutating func event(of crumb: CrashReport.Crumb, at time: EventTime) -> EventBytes {
    var row = row(.mainUnknown, at: time)
    row.kind = crumb.kind
    row.level = crumb.level
    if let thread = crumb.thread { row.thread = UInt32(ordinal(thread)) }
    return EventBytes(
      row, category: crumb.category, message: crumb.message,
      data: crumb.data.map { ($0.key, CrumbValue.string($0.value)) }, frames: [])
  }

  mutating func event(of violation: CrashReport.Violation, at time: EventTime) -> EventBytes {
    var row = row([], at: time)
    row.kind = .violation
    row.level = .error
    row.thread = UInt32(ordinal(violation.thread))
    row.queue = queue(of: thread(numbered: violation.thread)).map { queues.number(of: $0) } ?? 0
    var data = [("expected", CrumbValue.string(violation.expected))]
    if let file = violation.file {
      let line = violation.line.map { ":\($0)" } ?? ""
      data.append(("at", CrumbValue.string(file + line)))
    }
    var frames = violation.frames
    // Work that belongs on another queue than main is not UI work.
    if !violation.api.isEmpty, violation.expected.hasPrefix("main "),
      frames.first?.symbol != violation.api
    {
      frames.insert(.api(violation.api), at: 0)
    }
    return EventBytes(
      row, category: "violation",
      message: violation.api.isEmpty ? Self.work(violation, frames) : violation.api, data: data,
      frames: reading.stack(of: frames).frames)
  }

  /// The name of work for which the report names no function.
  private static func work(
    _ violation: CrashReport.Violation, _ frames: [CrashReport.Frame]
  ) -> String {
    guard frames.isEmpty else { return violation.expected }
    return ["main queue": "UI", "main actor": "@MainActor function"][violation.expected]
      ?? violation.expected
  }

  mutating func event(of hang: CrashReport.Hang, at time: EventTime) -> EventBytes {
    var row = row(hang.loop == nil ? .onMain : .mainUnknown, at: time)
    row.kind = .hang
    row.level = .error
    row.thread = UInt32(ordinal(hang.thread))
    let main = thread(numbered: hang.thread)
    row.queue = queue(of: main).map { queues.number(of: $0) } ?? 0
    var data = [(MS_KEY_THREAD_NAME, CrumbValue.string(main?.name ?? ""))]
    if let main {
      data.append((MS_KEY_THREAD, .integer(Int64(main.id == 0 ? main.number : main.id))))
    }
    if hang.lasted > 0 {
      data.append((MS_KEY_MILLISECONDS, .integer(Int64(clamping: hang.lasted / 1_000_000))))
    }
    if let loop = hang.loop { data.append((MS_KEY_NAME, .string(loop))) }
    return EventBytes(
      row, category: hang.loop == nil ? "hang" : WatchedKind.loop.text,
      message: MS_WORD_DOES_NOT_ANSWER,
      data: data,
      frames: reading.stack(of: main?.frames ?? []).frames)
  }

  /// The event for an error that was reported while the process continued.
  mutating func event(of failure: CrashReport.Failure, at time: EventTime) -> EventBytes {
    var row = row(.mainUnknown, at: time)
    row.kind = .error
    row.level = .error
    row.thread = UInt32(ordinal(failure.thread ?? CrashReport.unknownThread))
    let frames = failure.thrown.isEmpty ? report.failed?.frames ?? [] : failure.thrown
    return EventBytes(
      row, category: failure.title, message: failure.texts.first ?? "", data: [],
      frames: reading.stack(of: frames).frames)
  }

  private mutating func row(_ marks: EventMarks, at time: EventTime) -> EventRow {
    var row = EventRow()
    row.marks = marks
    row.thread = UInt32(truncatingIfNeeded: CrashReport.unknownThread)
    row.monotonic = time.order
    row.wall = time.wall ?? 0
    if time.wall == nil { row.marks.insert(.untimed) }
    row.number = number
    number += 1
    return row
  }

  // MARK: The crash

  /// The crash that ended the process; nil if the process continued, or the report has none.
  mutating func crash(at time: EventTime) -> Crash? {
    guard let failure = report.failure, failure.isFatal else { return nil }
    var crash = Crash(
      monotonic: time.order, wall: time.wall ?? 0, signal: failure.signalNumber, code: 0,
      address: failure.address, sender: nil, kernelID: report.failed?.id ?? 0)
    crash.title = failure.title.isEmpty ? nil : failure.title
    crash.texts = failure.texts.map { .exception($0) }
    crash.stage = .recorded
    crash.threadCount = report.threads.count
    crash.expected = failure.expected
    if var failed = report.failed {
      if !failure.thrown.isEmpty { failed.frames = failure.thrown }
      crash.thread = thread(failed)
    } else if !failure.thrown.isEmpty {
      crash.thread = thread(
        CrashReport.Thread(number: CrashReport.unknownThread, frames: failure.thrown))
    }
    crash.otherThreads = report.threads.filter { $0.number != failure.thread }.map { thread($0) }
    return crash
  }

  mutating func thread(_ thread: CrashReport.Thread) -> CrashThread {
    var known = CrashThread(
      kernelID: thread.id == 0 && report.numbersThreads ? thread.number : thread.id,
      ordinal: ordinal(thread.number), name: thread.name, queue: queue(of: thread),
      onMain: thread.isMain.map { $0 ? .yes : .no } ?? .unknown,
      stack: reading.stack(of: thread.frames), source: .rules)
    known.waitsFor = thread.waitsFor.map { ordinal($0) }
    return known
  }

  private func queue(of thread: CrashReport.Thread?) -> Queue? {
    thread?.queue.map { Queue(serial: 0, label: $0) }
  }
}

extension CrashReport.Frame {
  /// A frame for a UI framework function that a report names outside its stacks.
  static func api(_ name: String) -> Self {
    let frameworks = [
      ("UI", "UIKit"), ("NS", "AppKit"), ("CA", "QuartzCore"), ("WK", "WebKit"), ("MK", "MapKit"),
    ]
    let type = name.drop { "-+[".contains($0) }
    let image = frameworks.first { type.hasPrefix($0.0) }?.1 ?? "UIKit"
    return Self(symbol: name, image: image)
  }
}

extension CrashReport.Failure {
  /// The failure's type and signal: `EXC_BREAKPOINT (SIGTRAP)`.
  private var typeAndSignal: String {
    if type.isEmpty || type == signal { return signal }
    // The sanitizer itself calls abort, so the signal adds nothing.
    if type.contains("Sanitizer: "), signal == "SIGABRT" { return type }
    return signal.isEmpty ? type : "\(type) (\(signal))"
  }

  /// The name of the failure.
  var title: String {
    get { named.isEmpty ? typeAndSignal : named }
    set { named = newValue }
  }

  /// The Linux number of the signal; SIGABRT if an exception has no signal.
  var signalNumber: Int {
    SignalName.number(of: signal) ?? Self.machSignals[String(type.prefix { $0 != " " })] ?? 6
  }

  private static let machSignals = [
    "EXC_BAD_ACCESS": 11, "EXC_BAD_INSTRUCTION": 4, "EXC_ARITHMETIC": 8, "EXC_BREAKPOINT": 5,
    "EXC_CRASH": 6, "EXC_GUARD": 9, "EXC_RESOURCE": 9,
  ]
}
