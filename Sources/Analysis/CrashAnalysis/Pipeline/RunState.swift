import IncidentModel
import CLogFormat

/// The state that the rules share while an input is read: the process before the observed event,
/// and the findings.
class RunState {
  let source: any EventSource
  let input: String
  let options: AnalysisOptions
  let batch: EventBatch
  private let frameReader: FrameReader

  /// The lifecycle phase before the observed event.
  private(set) var lifecycle: Lifecycle
  private(set) var hops = HopJoin()
  private(set) var tasks = TaskJoin()
  /// The hangs that have not ended.
  private(set) var hangs = OpenHangs()
  private(set) var answers = AnswerTimes.All()
  private(set) var openWork = OpenWork()
  private(set) var pairs = PairedCrumbs()
  private(set) var waits = NotedWaits()
  private(set) var standing = StandingThreads()
  private(set) var story = HeldStory()
  private(set) var lastMonotonic: UInt64 = 0
  private(set) var lastWall: UInt64 = 0
  private(set) var events = 0
  /// The number of events that are statements of a report, not crumbs.
  private(set) var reported = 0
  private var recent = RecentEvents()
  private var noted = NotedStacks()
  private var readings: [Int: StackReading] = [:]
  private var frameworks: [Int: Bool] = [:]
  private let mostReadings = 1 << 14
  /// The pending findings, and their indices by key and by fingerprint.
  private(set) var drafts: [PendingFinding] = []
  private var places: [FindingKey: Int] = [:]
  private var fingerprints: [String: Int] = [:]

  init(
    source: any EventSource, input: String, options: AnalysisOptions, frameReader: FrameReader
  ) {
    self.source = source
    self.input = input
    self.options = options
    self.frameReader = frameReader
    lifecycle = Lifecycle(isInBackground: source.signs.isInBackground)
    batch = EventBatch(queues: source.queues)
    frameReader.begin(source.modules, source.names)
  }

  /// Records an event after all rules have observed it.
  func passed(_ event: Event) {
    switch event.kind {
    case .lifecycle: lifecycle.observe(event)
    case .hop: hops.observe(event)
    case .backgroundTask: tasks.observe(event, in: self)
    case .hang: _ = hangs.observe(event, in: self)
    case .error:
      if let function = LeakedContinuation.loser(in: event) {
        openWork.observe(lossBy: function, event)
      }
    default: break
    }
  }

  /// Records a note, even if no rule is interested in notes.
  func passed(note: Event) {
    if StandingThreads.areTold(by: note) { return standing.observe(note, in: self) }
    if NotedWaits.areTold(by: note) { return waits.observe(note) }
    pairs.observe(note)
    if note.hasStack { return noted.keep(note) }
    if OpenWork.isTold(by: note) { return openWork.observe(note) }
    if AnswerTimes.All.areTold(by: note) { answers.observe(note) }
  }

  /// Returns the events that led to work of these types, in order: the last note with one of the
  /// types on its stack, the open background tasks, the transition to the background.
  func steps(before moment: Moment, of owners: Set<String>) -> [Finding.Step] {
    var steps: [(when: UInt64, step: Finding.Step)] = []
    let note = noted.notes.last { note in
      note.moment.monotonic < moment.monotonic
        && reading(of: note).links.contains {
          owners.contains($0.frame.traits.owner)
        }
    }
    if let note {
      let reading = reading(of: note)
      let step = Finding.Step(
        "recorded “\(note.message)”", thread: thread(note.thread), queue: note.queue,
        place: reading.starter?.place)
      steps.append((note.moment.monotonic, step))
      if let outer = reading.links.last?.frame, outer.isNamed, outer != reading.starter {
        steps.append(
          (
            note.moment.monotonic,
            Finding.Step(
              "called by", thread: thread(note.thread), queue: note.queue, place: outer.place)
          ))
      }
    }
    guard lifecycle.phase == .background, lifecycle.since.monotonic <= moment.monotonic else {
      return steps.map(\.step)
    }
    let moved = read(frames(at: lifecycle.frames, when: lifecycle.since.monotonic))
    steps.append(
      (
        lifecycle.since.monotonic,
        Finding.Step(
          "the process entered the background", thread: thread(lifecycle.thread),
          queue: lifecycle.queue, place: moved.starter?.place)
      ))
    for task in tasks.newest where task.begun <= moment.monotonic {
      let begun = Finding.Step(
        "began background task “\(task.name)”", thread: thread(task.thread), queue: task.queue,
        place: task.place)
      steps.append((task.begun, begun))
      guard let callback = task.callback else { continue }
      let called = Finding.Step(
        "called back by", thread: thread(task.thread), queue: task.queue, place: callback)
      steps.append((task.begun, called))
    }
    return steps.sorted { $0.when < $1.when }.map(\.step)
  }

  func endOfBatch() {
    if batch.count > 0 {
      lastMonotonic = batch[batch.count - 1].monotonic
      lastWall = batch[batch.count - 1].wall
    }
    events += batch.count
    if source.isForeignReport {
      let kinds: Set<CrumbKind> = [.violation, .hang, .error]
      reported += (0..<batch.count).count { kinds.contains(batch[$0].kind) }
    }
    if !source.losses.recycled.isEmpty { story.observe(batch) }
    recent.endOfBatch(batch)
  }

  /// Completes the state after the last event: the tasks of a picture are the newest list of
  /// waiting tasks.
  func endOfInput() {
    guard let tasks = source.picture?.tasks else { return }
    waits = NotedWaits(tasks, isOfShutdown: askedToEnd != nil)
  }

  /// The first request to end, on the monotonic clock; nil if no request was recorded.
  var askedToEnd: UInt64? { lifecycle.askedToEnd ?? openWork.askedToEnd }

  /// The time of the last event.
  var end: Moment { Moment(monotonic: lastMonotonic, wall: lastWall) }

  /// True if the input has the events of a breadcrumb log, which covers a run from its start.
  var isRecording: Bool { source.isRecording }

  // MARK: Reading

  /// Returns the interpreted stack of an event; cached by stack.
  func reading(of event: Event) -> StackReading {
    reading(event.addresses.contentHash) { frames(of: event) }
  }

  private func reading(of note: NotedStacks.Note) -> StackReading {
    reading(note.stack) { frames(at: note.frames, when: note.moment.monotonic) }
  }

  private func reading(_ stack: Int, _ frames: () -> [Frame]) -> StackReading {
    if let reading = readings[stack] { return reading }
    if readings.count >= mostReadings { readings.removeAll(keepingCapacity: true) }
    let reading = read(frames())
    readings[stack] = reading
    return reading
  }

  /// Interprets a stack. The checks in a report are outside the program, so the culprit is the own
  /// frame nearest to the call.
  func read(_ frames: [Frame]) -> StackReading {
    StackReading(
      frames, opensNearest: source.isForeignReport,
      platform: source.format.hasPrefix("android-") ? Toolkit(function: "android.") : nil)
  }

  /// True for a violation of UI work: it is marked as UI work, or its stack is in a UI framework.
  /// In another tool's report, each violation of the main queue counts as UI work.
  func isUIWork(_ violation: Event) -> Bool {
    if violation[MS_KEY_UI] == .boolean(true) || isInUIFramework(violation) { return true }
    guard source.isForeignReport, let expected = violation.text(MS_KEY_EXPECTED) else {
      return false
    }
    return Home(expected: expected)?.isOfMain == true
  }

  /// True if the event's stack contains a frame of a UI framework; cached by stack.
  func isInUIFramework(_ event: Event) -> Bool {
    let key = event.addresses.contentHash
    if let known = frameworks[key] { return known }
    if frameworks.count >= mostReadings { frameworks.removeAll(keepingCapacity: true) }
    let isIn = frameReader.isInUIFramework(event.frames, when: event.monotonic)
    frameworks[key] = isIn
    return isIn
  }

  func frames(of event: Event) -> [Frame] {
    frameReader.frames(at: event.frames, when: event.monotonic)
  }

  func frames(of stack: Stack, when monotonic: UInt64) -> [Frame] {
    frames(at: stack.frames, when: monotonic)
  }

  func frames(at addresses: [FrameAddress], when monotonic: UInt64) -> [Frame] {
    frameReader.frames(at: addresses, when: monotonic)
  }

  func threadName(_ ordinal: Int) -> Finding.ThreadName {
    let thread = source.threads[ordinal]
    return Finding.ThreadName(
      id: thread?.kernelID ?? 0, index: ordinal, name: whole(thread?.name ?? ""))
  }

  /// Returns a thread's full name. The kernel keeps only 15 bytes: a possibly truncated name is
  /// completed from the program's name, or omitted.
  private func whole(_ name: String) -> String {
    guard name.utf8.count == 15, !source.isForeignReport, !DisplayText.isWorker(name) else {
      return name
    }
    let program = source.process?.executable.split(separator: "/").last.map(String.init) ?? ""
    return program.hasPrefix(name) ? program : ""
  }

  /// Returns the display name of a thread.
  func thread(_ ordinal: Int) -> String {
    DisplayText.thread(ordinal, threadName(ordinal).name)
  }

  /// Returns the display name of a thread that a crumb identifies by kernel id, with its ordinal if
  /// the thread recorded crumbs itself. A picture lists the threads by their kernel ids.
  func thread(kernelID: Int, _ name: String) -> String {
    if source.picture != nil { return DisplayText.thread(kernelID, whole(name)) }
    let own = source.threads.values.filter { $0.kernelID == kernelID }.map(\.ordinal).max()
    return own.map(thread) ?? DisplayText.thread(kernelID, whole(name))
  }

  /// Returns the program's message with display names of threads in place of kernel ids and
  /// truncated names.
  func tidied(_ said: String) -> String {
    guard !source.isForeignReport else { return said }
    return said.replacing(/\(thread (\d+)(?: "([^"]*)")?(?:, task \d+)?\)/) { match in
      guard let id = Int(match.1) else { return String(match.0) }
      return "on " + thread(kernelID: id, String(match.2 ?? ""))
    }
  }

  /// Returns the name of a queue; a report may omit the name of a queue that exists.
  func queueName(_ label: String?) -> String {
    label == nil && source.isForeignReport ? DisplayText.unnamedQueue : DisplayText.queue(label)
  }

  /// Returns the display name of an event's queue, or of its thread if the platform has no queues.
  func placeName(of event: Event, _ reading: StackReading) -> String {
    event.queue == nil && isWithoutQueues(reading)
      ? thread(event.thread) : queueName(event.queue?.label)
  }

  /// Returns the name of the main queue, or of the main thread if the platform has no queues.
  func mainName(of event: Event, _ reading: StackReading) -> String {
    event.queue == nil && isWithoutQueues(reading) ? "the main thread" : Home.main.words
  }

  private func isWithoutQueues(_ reading: StackReading) -> Bool {
    guard source.isForeignReport, let frame = reading.touched ?? reading.nearestLibrary else {
      return false
    }
    return CodeLanguage(frame.place)?.isOfSwift == false
  }

  /// The program's modules without symbols, sorted.
  var unnamedModules: [String] { frameReader.unnamedModules }

  func nearby(_ event: Event) -> [Finding.Nearby] { recent.around(event, in: batch) }

  /// Returns the last crumbs of the input, with times relative to `end`.
  func crumbs(before end: Moment) -> [Finding.Nearby] { recent.last(before: end) }

  /// The last of the program's own crumbs that mentions a termination signal; nil if none of the
  /// most recent crumbs does.
  var ownAsk: (text: String, moment: Moment)? {
    recent.last { $0.contains(/\bSIG(TERM|INT|HUP)\b/) }
  }

  /// The signal in the crumb of `ownAsk` if the crumb consists of the signal's name: then the
  /// program received the signal. A longer text may concern another process.
  var ownSignal: (name: String, moment: Moment)? {
    func signal(_ text: String) -> String? {
      text.wholeMatch(of: /[^:]*: (?:(?:[Rr]eceived|[Gg]ot|[Tt]ook) )?(SIG(?:TERM|INT|HUP))/)
        .map { String($0.1) }
    }
    return recent.last { signal($0) != nil }.flatMap { told in
      signal(told.text).map { ($0, told.moment) }
    }
  }

  // MARK: Reporting

  /// True if a finding with `key` was reported.
  func knows(_ key: FindingKey) -> Bool { places[key] != nil }

  /// The index of an event in the input, from 0.
  func place(of event: Event) -> Int { events + event.index }

  /// Counts another occurrence, at `event`, of the finding with `key`.
  func count(_ key: FindingKey, at event: Event) {
    guard let place = places[key] else { return }
    drafts[place].count += 1
    drafts[place].span.extend(to: WallSpan(event.wall))
    drafts[place].occurred(at: self.place(of: event))
  }

  /// Counts an occurrence of the finding with `key`; creates the finding at the first occurrence.
  func report(_ key: FindingKey, at event: Event, _ make: () -> Finding) {
    if knows(key) { return count(key, at: event) }
    var finding = make()
    if finding.nearby.isEmpty { finding.nearby = nearby(event) }
    finding.thread = finding.thread ?? threadName(event.thread)
    finding.queue = finding.queue ?? event.queue?.label
    if finding.wall == 0 { finding.wall = event.wall }
    add(finding, key, count: 1, at: place(of: event))
  }

  /// Reports a finding that is known only later or at the end of the input, with `count`
  /// occurrences.
  ///
  /// - Parameter place: The index of its event; nil if no event is known.
  func report(_ key: FindingKey, count: Int = 1, at place: Int? = nil, _ make: () -> Finding) {
    var finding = make()
    // A report may contain the times of its crumbs but not its own time.
    if finding.wall == 0, !source.isForeignReport { finding.wall = lastWall }
    add(finding, key, count: count, at: place)
  }

  /// Replaces the findings of the single rules by the merged findings.
  func tell(_ told: [PendingFinding]) { drafts = told }

  /// Adds occurrences of a finding. Several keys may lead to one finding, for example two stacks
  /// with one culprit.
  private func add(_ finding: Finding, _ key: FindingKey, count: Int, at event: Int?) {
    var finding = finding
    finding.culprit = finding.culprit.map(SourceLine.added)
    for place in finding.cause.indices {
      finding.cause[place].place = finding.cause[place].place.map(SourceLine.added)
    }
    for place in finding.evidence.indices {
      finding.evidence[place].place = finding.evidence[place].place.map(SourceLine.added)
    }
    finding.input = input
    finding.incident = source.recording
    let fingerprint = finding.fingerprint
    if let place = fingerprints[fingerprint] {
      places[key] = place
      drafts[place].count += count
      drafts[place].span.extend(to: WallSpan(finding.wall))
    } else {
      places[key] = drafts.count
      fingerprints[fingerprint] = drafts.count
      drafts.append(PendingFinding(finding: finding, fingerprint: fingerprint, count: count))
    }
    if let place = places[key], let event { drafts[place].occurred(at: event) }
  }
}

extension UnsafeRawBufferPointer {
  /// A hash of the bytes, for keys within this process only.
  var contentHash: Int {
    var hasher = Hasher()
    hasher.combine(bytes: self)
    return hasher.finalize()
  }
}
