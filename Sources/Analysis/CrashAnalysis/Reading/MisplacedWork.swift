import IncidentModel
import CLogFormat

/// Work that ran in the wrong place: a violation, UI work off the main queue, or a stack inside a
/// UI framework.
struct MisplacedWork {
  /// The name of the work, from its author or its framework.
  let api: String
  /// The affinity of the work.
  let home: Home
  /// The place of the check or of the marked work.
  let site: CodePlace?
  let reading: StackReading
  /// The culprit, with its source line.
  let culprit: CodePlace?
  /// The method at whose entry the check is, if it was called through a protocol.
  let witness: WitnessTrap?
  /// The places where the callback was registered or sent, nearest first, as recorded in the
  /// violation.
  var origins: [Origin]

  struct Origin {
    /// The recorded text: `enqueued at App/Feed.swift:12 on queue net (thread 41)`.
    var text: String
    /// The recorded stack of the sender; nil without one.
    var stack: String?
    /// The function that sent the callback; nil if unknown or not symbolicated yet.
    var sender: CodePlace?

    /// The parsed origin; nil if the text is malformed, for example in a damaged log.
    var words: OriginText? { OriginText(text) }

    /// True if the callback was registered here.
    var isRegistration: Bool { words?.how == "registered" }

    /// The place that the text names.
    var place: CodePlace? { words.map { MisplacedWork.place(at: $0.site, function: "") } }
  }

  /// True if the callback came through a hop that only observes.
  let isWatched: Bool
  /// True if it is UI work that did run on the main queue.
  let isOnMain: Bool

  /// Creates UI work that ran on the main queue, as it should; nil for other events.
  init?(onMain event: Event) {
    guard event.kind == .uiWork, !event.isOffMain else { return nil }
    api = event.message
    home = .main
    site = Self.site(of: event)
    reading = StackReading([])
    culprit = site
    witness = nil
    origins = []
    isWatched = false
    isOnMain = true
  }

  /// Creates work that belongs on the main queue.
  ///
  /// - Returns: nil if the event shows no such work.
  init?(_ event: Event, in run: RunState) {
    if event.kind == .violation {
      guard let expected = event.text(MS_KEY_EXPECTED), Home(expected: expected)?.isOfMain == true
      else { return nil }
    }
    self.init(anywhere: event, in: run)
  }

  /// Creates work that belongs on any queue, actor or thread.
  ///
  /// - Returns: nil if the event shows no such work.
  init?(anywhere event: Event, in run: RunState) {
    switch event.kind {
    case .violation:
      guard let expected = event.text(MS_KEY_EXPECTED), let home = Home(expected: expected) else {
        return nil
      }
      // The main actor runs on the main queue.
      self.home = home.isOfMain ? .main : home
      reading = run.reading(of: event)
      let message = event.message
      let isNamed = message != expected && home != .mainActor
      witness = Self.isOfActor(home) ? WitnessTrap(reading.touched?.place) : nil
      let entered = reading.entry.map { $0.isNamed ? $0.place.function : $0.place.module }
      let told = witness?.place.function ?? entered ?? reading.touched?.place.function
      api = isNamed ? message : told ?? message
      site = Self.site(of: event)
      origins = Self.origins(of: event).map { $0.sent(event.monotonic, in: run) }
    case .uiWork:
      guard event.isOffMain else { return nil }
      home = .main
      reading = StackReading([])
      api = event.message
      site = Self.site(of: event)
      witness = nil
      origins = []
    default:
      guard event.isOffMain, event.hasStack else { return nil }
      reading = run.reading(of: event)
      guard let framework = reading.framework, case .ui(let name) = framework.role else {
        return nil
      }
      home = .main
      api = "\(framework.place.function) (\(name))"
      site = nil
      witness = nil
      origins = []
    }
    culprit = witness?.place ?? Self.culprit(of: reading, else: site)
    isWatched =
      event.kind == .violation && event.hop != nil && event.message.hasPrefix("callback of ")
    isOnMain = false
  }

  /// True if the compiler inserts a check for this home at a function's entry.
  private static func isOfActor(_ home: Home) -> Bool {
    switch home {
    case .mainActor, .actor, .executor: true
    default: false
    }
  }

  /// Returns the origins of an event; their senders are not symbolicated.
  static func origins(of event: Event) -> [Origin] {
    var origins: [Origin] = []
    for (name, value) in EventData(bytes: event.dataBytes) {
      if name.isEqual(to: MS_KEY_ORIGIN), let text = value.decoded?.description {
        origins.append(Origin(text: text))
      } else if name.isEqual(to: MS_KEY_ORIGIN_STACK), !origins.isEmpty {
        origins[origins.count - 1].stack = value.decoded?.description
      }
    }
    return origins
  }

  /// The types whose functions are on the stack.
  var owners: Set<String> {
    Set(reading.links.map(\.frame.traits.owner).filter { !$0.hasSuffix(" ") })
  }

  private static func culprit(of reading: StackReading, else site: CodePlace?) -> CodePlace? {
    guard let frame = reading.calledBack ?? reading.culprit, frame.isNamed else {
      return site ?? reading.culprit?.place
    }
    return SourceLine.added(to: frame.place)
  }

  /// The function that did the work, from its stack, else from the place of its check.
  var touched: CodePlace? {
    guard let frame = reading.touched, frame.isNamed else {
      return site ?? reading.touched?.place
    }
    return frame.place
  }

  /// The name of the work, with the function that did it if that differs.
  var words: String {
    let place = witness?.place ?? touched
    let name = place.map { $0.function.isEmpty ? $0.module : $0.function } ?? api
    return "“\(api)”" + (name == api ? "" : " in \(name)")
  }

  /// Returns the explanation of a commit of Core Animation if earlier code, which has returned,
  /// caused the work.
  func lateCommit(_ event: Event, in run: RunState) -> LateCommitStory? {
    LateCommitStory(reading, thread: run.thread(event.thread), queue: event.queue?.label)
  }

  /// The `defect` of all findings about this work: the culprit's function, or the name of the work.
  var defect: String {
    if reading.lateCommit != nil { return LateCommitStory.defect }
    return culprit.map { "\($0.module) \($0.function)" } ?? api
  }

  /// Returns the place in a crumb's `at` and `in` fields.
  static func site(of event: Event) -> CodePlace? {
    event.text(MS_KEY_SITE).map { place(at: $0, function: event.text(MS_KEY_FUNCTION) ?? "") }
  }

  /// Parses a place: `Module/File.swift:12`.
  static func place(at text: String, function: String) -> CodePlace {
    let colon = text.lastIndex(of: ":")
    let file = String(text[..<(colon ?? text.endIndex)])
    let line = colon.flatMap { Int(text[text.index(after: $0)...]) }
    let module = file.split(separator: "/").first.map(String.init) ?? ""
    return CodePlace(function: function, module: module, file: file, line: line)
  }
}

extension MisplacedWork.Origin {
  /// Returns the origin with the innermost named function of its stack as the sender.
  func sent(_ monotonic: UInt64, in run: RunState) -> Self {
    let frames = stack.flatMap(OriginText.stack) ?? []
    let stack = Stack(frames: frames.map(FrameAddress.init(word:)), end: .complete)
    let frame = run.frames(of: stack, when: monotonic).first { $0.isNamed }
    var origin = self
    origin.sender = frame.map { SourceLine.added(to: $0.place) }
    return origin
  }
}

extension Event {
  /// False if the violation is only likely.
  var isCertain: Bool { self[MS_KEY_CERTAIN] != .boolean(false) }
}
