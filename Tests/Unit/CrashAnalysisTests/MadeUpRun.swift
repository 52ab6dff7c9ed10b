import CrashAnalysis
import IncidentModel

/// A run that no process made: a header, crumbs and a crash as a test wants them.
final class MadeUpRun: EventSource {
  let queues = QueueTable()
  var format = "breadcrumbs"
  let isRecording = true
  var recording = "till"
  let process: Incident.Process? = Incident.Process(
    id: 7, executable: "/opt/till", openedWall: 1, openedMonotonic: 1)
  let modules: [SeenModule] = []
  var threads: [Int: IncidentThread] = [:]
  var losses = Incident.Losses()
  var unread: [Unread] = []
  let ending: RunEnding
  var signs = RunSigns()
  var crash: Crash?
  var picture: ProcessPicture?
  /// A run with stacks is read as a report of another tool, which names its frames itself.
  var isForeignReport: Bool { names != nil }
  /// The source that the lines of its stacks are of.
  var file = "Till.swift"
  /// Those of all stacks; nil where there is none.
  private(set) var names: FrameNames?

  private var events: [EventBytes] = []
  private var at = 0
  private var addresses: [String: UInt64] = [:]

  init(_ ending: RunEnding = .killed) {
    self.ending = ending
    add(.note, "working")
  }

  /// Adds a crumb, a second after the one before.
  func add(
    _ kind: CrumbKind, _ message: String, _ data: [(key: String, value: CrumbValue)] = [],
    category: String = "", hop: UInt64? = nil, stack functions: [String] = [],
    awaiting callers: [String] = [], at monotonic: UInt64? = nil
  ) {
    var row = EventRow()
    row.kind = kind
    row.monotonic = monotonic ?? UInt64(events.count + 1) * 1_000_000_000
    row.wall = row.monotonic
    row.thread = 1
    if let hop {
      row.hop = hop
      row.marks.insert(.hasHop)
    }
    events.append(
      EventBytes(
        row, category: category, message: message, data: data,
        frames: stack(functions).frames
          + stack(callers).frames.map { .asyncCaller($0.recorded) }))
  }

  /// Adds the crumb of a thread that has a number, so many seconds after the log was opened.
  func add(_ kind: CrumbKind = .note, number: UInt32, thread: UInt32 = 1, after seconds: Double) {
    var row = EventRow()
    row.kind = kind
    row.monotonic = UInt64(seconds * 1e9)
    row.wall = row.monotonic
    row.thread = thread
    row.number = number
    events.append(EventBytes(row, category: "", message: "working", data: [], frames: []))
  }

  /// A stack of functions, innermost first: of the program, or of another module, as `libc.so.6!poll`; at a line, as
  /// `Cart.pay() at 7`; in a part of an async function, as `Cart.pay()TY2_`.
  func stack(_ functions: [String]) -> Stack {
    let stack = functions.map { text in
      let parts = text.split(separator: "!", maxSplits: 1).map(String.init)
      let words = (parts.last ?? "").split(separator: " at ", maxSplits: 1).map(String.init)
      let line = words.count > 1 ? Int(words[1]) : nil
      let mangled = words.first ?? ""
      let named = FrameNames.Named(
        source: SourceFrame(
          function: mangled.replacing(/T[YQ]\d+_$/, with: ""), mangledName: mangled,
          file: line.map { _ in file },
          line: line),
        module: parts.count > 1 ? parts[0] : "till", isNamed: true, role: nil)
      let address = addresses[text] ?? UInt64(addresses.count) + 1
      addresses[text] = address
      names = names ?? FrameNames()
      names?.add(named, at: address)
      return FrameAddress.instruction(address)
    }
    return Stack(frames: stack, end: .complete)
  }

  /// A thread of a crash; its queue by its serial number.
  func thread(
    _ id: Int, queue: UInt64? = nil, onMain: Crumb.OnMain = .no, _ functions: [String]
  ) -> CrashThread {
    CrashThread(
      kernelID: id, ordinal: id, name: "",
      queue: queue.map { Queue(serial: $0, label: "com.example.queue\($0)") }, onMain: onMain,
      stack: stack(functions), source: .rules)
  }

  /// Ends the run by a signal, on the first of these threads.
  func die(
    of signal: Int, address: UInt64? = nil, sentBy sender: Int? = nil, saying text: String = "",
    expecting expected: String? = nil, _ threads: [CrashThread] = []
  ) {
    var crash = Crash(
      monotonic: 60_000_000_000, wall: 60_000_000_000, signal: signal, code: 1, address: address,
      sender: sender.map { Crash.Sender(process: $0, user: 0) },
      kernelID: threads.first?.kernelID ?? 7)
    crash.texts = text.isEmpty ? [] : [.swift(text)]
    crash.stage = .recorded
    crash.thread = threads.first
    crash.otherThreads = Array(threads.dropFirst())
    crash.threadCount = threads.count
    crash.expected = expected
    self.crash = crash
  }

  func next(into batch: EventBatch) -> Bool {
    batch.removeAll()
    while at < events.count, !batch.isFull {
      batch.append(events[at].row)
      at += 1
    }
    return batch.count > 0
  }

  func report() throws -> Report {
    var options = AnalysisOptions()
    // The tests write its sources today.
    options.trustsSources = true
    return Report(try Analyzer(options: options).analyze(self, input: "till.log"))
  }

  /// What a rule finds.
  func finding(_ rule: String) throws -> Finding? {
    try report().entries.map(\.finding).first { $0.rule == rule }
  }
}
