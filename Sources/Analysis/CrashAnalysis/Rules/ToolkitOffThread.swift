import IncidentModel
import CLogFormat

/// Finds calls of a toolkit's functions off the toolkit's thread.
final class ToolkitOffThread: Rule {
  static let about = RuleDescription(
    id: "toolkit-off-thread", severity: .error,
    title: "A toolkit was called off its thread",
    firesWhen: """
      `crashscan run --gtk`, or `--calls LIST`, recorded a call of a listed function on a thread \
      other than the toolkit's. GTK belongs to the thread that iterates the default main context, or \
      before that to the thread of the first call; the holder of the lock of GTK 3 may call, too. \
      Other toolkits belong to the thread of the first call.
      """,
    cause: """
      Toolkits have no locks: a second thread changes an object while the first one draws it. The \
      crash, if it comes, is far from the cause.
      """,
    evidence: """
      The function, the class and the name of the object, both threads, the stack, Python frames, \
      and the code that queued the work (by GTask, GThreadPool, or another main loop) or, except \
      for Dispatch's workers, started the thread.
      """,
    fix: "Send the call to the toolkit's thread, as `g_idle_add(function, data)` does.",
    triggers: """
      g_thread_new("worker", (GThreadFunc) work, label);  // work: gtk_label_set_text(label, "done");
      """,
    spares: """
      g_thread_new("worker", (GThreadFunc) work, label);  // work: g_idle_add(show_done, label);
      """,
    language: "c")

  let interest = Interest(.error)

  /// The advice for each toolkit, by language.
  private var fixes: [String: [String: String]] = [:]
  /// The number of reported calls from each place.
  private var told: [Int: Int] = [:]
  /// The maximum number of places, which bounds the memory for malformed logs; real programs have
  /// fewer.
  private static let most = 4096

  func observe(_ event: Event, in run: RunState) {
    if event.category == MS_WORD_TOOLKIT_FIX {
      guard fixes.count < 16 else { return }
      fixes[event.message] = Dictionary(
        EventData(bytes: event.dataBytes).decoded.map { ($0.key, $0.value.description) },
        uniquingKeysWith: { $1 })
      return
    }
    guard event.category == MS_WORD_TOOLKIT else { return }
    let call = ToolkitCall(event, in: run)
    let place = call.identity
    let before = told[place] ?? 0
    guard call.occurrence > before, told.count < Self.most else { return }
    told[place] = call.occurrence
    run.report(
      FindingKey(Self.about.id, place), count: call.occurrence - before, at: run.place(of: event)
    ) {
      var finding = finding(call, event, run)
      finding.nearby = run.nearby(event)
      finding.thread = run.threadName(event.thread)
      finding.wall = event.wall
      return finding
    }
  }

  private func finding(_ call: ToolkitCall, _ event: Event, _ run: RunState) -> Finding {
    let thread = Self.thread(event.thread, in: run)
    let who =
      call.culprit.map(DisplayText.name) ?? call.reading.nearestLibrary?.place.module ?? "code"
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(DisplayText.capitalized(who)) called \(call.function) on \(thread): "
        + "\(call.toolkit) belongs to \(call.owner)",
      culprit: call.culprit, api: call.function,
      fix: Finding.Fix(fix(of: call)), identity: call.function,
      defect: call.culprit.map { "\($0.module) \($0.function)" } ?? call.function)
    finding.evidence = [
      Finding.Evidence(
        "\(call.function) was called\(call.object) on \(thread)", place: call.culprit)
    ]
    if let absence = call.reading.absence { finding.evidence.append(absence) }
    finding.cause = call.steps(on: thread)
    return finding
  }

  /// Returns the thread's name with its kernel id, like the owner's: a log's ordinals exist only
  /// for threads that recorded crumbs.
  private static func thread(_ ordinal: Int, in run: RunState) -> String {
    let name = run.threadName(ordinal)
    return name.id == 0 ? run.thread(ordinal) : DisplayText.thread(name.id, name.name)
  }

  private func fix(of call: ToolkitCall) -> String {
    let known = fixes[call.toolkit] ?? [:]
    return known[call.language] ?? known["c"]
      ?? "Hand the call over to the thread that \(call.toolkit) belongs to."
  }
}

/// A toolkit call, read from its crumb.
struct ToolkitCall {
  let function: String
  let toolkit: String
  let owner: String
  /// The object, in the form ` on GtkLabel “title”`; empty if unknown.
  let object: String
  let occurrence: Int
  let reading: StackReading
  /// The interpreter's frames, innermost first.
  let script: [CodePlace]
  let culprit: CodePlace?
  /// A hash of the function, the innermost script frame and the stack.
  let identity: Int
  /// The code that started the thread, or sent the work to it; nil if unknown.
  private let start: Finding.Step?

  init(_ event: Event, in run: RunState) {
    function = event.message
    toolkit = event.text(MS_KEY_TOOLKIT) ?? "the toolkit"
    let number = event.integer(MS_KEY_OWNER) ?? 0
    let name = event.text(MS_KEY_OWNER_NAME) ?? ""
    owner = DisplayText.thread(Int(clamping: number), name)
    let type = event.text(MS_KEY_TYPE) ?? ""
    let called = event.text(MS_KEY_NAME).map { " “\($0)”" } ?? ""
    object = type.isEmpty ? "" : " on \(type)\(called)"
    occurrence = event.integer(MS_KEY_OCCURRENCE).map { max(1, Int(clamping: $0)) } ?? 1
    reading = run.reading(of: event)
    var script: [CodePlace] = []
    var startedScript: [CodePlace] = []
    for (key, value) in EventData(bytes: event.dataBytes) {
      if key.isEqual(to: MS_KEY_SCRIPT), let text = value.decoded?.description {
        script.append(Self.place(of: text))
      } else if key.isEqual(to: MS_KEY_STARTED_SCRIPT), let text = value.decoded?.description {
        startedScript.append(Self.place(of: text))
      }
    }
    self.script = script
    // Calls by an installed package are attributed to its caller.
    let own = script.first { place in
      !Self.packages.contains { place.file?.contains($0) ?? false }
    }
    culprit = (own ?? script.first ?? reading.touched?.place).map { SourceLine.added(to: $0) }
    var hasher = Hasher()
    hasher.combine(function)
    hasher.combine(script.first)
    hasher.combine(event.addresses.contentHash)
    identity = hasher.finalize()
    start = Self.start(of: event, script: startedScript.first, in: run)
  }

  private static func start(
    of event: Event, script: CodePlace?, in run: RunState
  ) -> Finding.Step? {
    let queuer = event.integer(MS_KEY_QUEUED_BY)
    // Dispatch starts a worker for the first work that needs one, and reuses it for work of others.
    if queuer == nil, DisplayText.isWorker(run.threadName(event.thread).name) { return nil }
    guard let thread = queuer ?? event.integer(MS_KEY_STARTED_BY) else { return nil }
    let key = queuer == nil ? MS_KEY_STARTED_STACK : MS_KEY_QUEUED_STACK
    let addresses = event.text(key).flatMap(OriginText.stack) ?? []
    let stack = Stack(frames: addresses.map(FrameAddress.init(word:)), end: .complete)
    let named = run.frames(of: stack, when: event.monotonic).first {
      $0.role == .code && $0.isNamed
    }
    return Finding.Step(
      queuer == nil ? "started the thread" : "queued the work", thread: "thread \(thread)",
      queue: nil,
      place: (script ?? named?.place).map { SourceLine.added(to: $0) })
  }

  private static let packages = ["/dist-packages/", "/site-packages/", "/lib/python"]

  /// Parses a place in a script: `folder/app.py:12 work`.
  private static func place(of text: String) -> CodePlace {
    let space = text.lastIndex(of: " ") ?? text.endIndex
    let function = text[space...].dropFirst()
    let position = text[..<space]
    let colon = position.lastIndex(of: ":") ?? position.endIndex
    let file = String(position[..<colon])
    return CodePlace(
      function: String(function), module: file, file: file,
      line: Int(position[colon...].dropFirst()))
  }

  /// The language of the culprit's file, with the name that the toolkit's advice uses.
  var language: String {
    if !script.isEmpty { return "python" }
    let ending = culprit?.file?.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return switch ending {
    case "py", "vala", "swift", "rs":
      ["py": "python", "rs": "rust"][ending] ?? ending
    case "cpp", "cc", "cxx", "hpp": "cpp"
    default: "c"
    }
  }

  /// Returns the steps: the code that started the thread or sent the work, the callers, the call.
  func steps(on thread: String) -> [Finding.Step] {
    var steps = start.map { [$0] } ?? []
    let callers = script.isEmpty ? reading.links.map(\.frame.place) : script
    for place in callers.dropFirst().prefix(4).reversed() {
      steps.append(Finding.Step("called", thread: thread, queue: nil, place: place))
    }
    steps.append(Finding.Step("called \(function)", thread: thread, queue: nil, place: culprit))
    return steps
  }
}
