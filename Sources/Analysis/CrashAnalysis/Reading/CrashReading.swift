import IncidentModel

/// A crash as a person reads it.
struct CrashReading {
  let crash: Crash
  let reading: StackReading
  let frames: [Frame]
  /// Whether it is from a report of another tool.
  let isForeignReport: Bool

  init?(in run: RunState) {
    guard let crash = run.source.crash, crash.stage != .recovered else { return nil }
    self.crash = crash
    frames = crash.thread.map { run.frames(of: $0.stack, when: crash.monotonic) } ?? []
    reading = run.read(frames)
    isForeignReport = run.source.isForeignReport
  }

  /// A crash without a stack.
  init(_ crash: Crash) {
    self.crash = crash
    frames = []
    reading = StackReading([])
    isForeignReport = false
  }

  /// The frame to open first: the callback or function of the program's own nearest to the fault.
  var culprit: CodePlace? {
    let frame = isIsolationTrap ? handover?.frame ?? reading.culprit : touched
    return frame.map { SourceLine.added(to: $0.place) }
  }

  /// The call from other code into the program that led to a check of the thread, the program's or a toolkit's.
  /// The check is right: the place to change is the entry of the wrong thread. A check that the compiler puts
  /// at a closure's entry concerns the nearest code instead.
  var handover: StackReading.Link? {
    guard isForeignReport, isIsolationTrap,
      expected.map({ $0.isOfMain || $0 == .owner }) ?? (reading.check != nil),
      let touched = reading.touched, touched.role == .code,
      let link = reading.handover, link.frame.isNamed
    else { return nil }
    // A function that the program itself sent to a queue or a pool is its own code: if a toolkit refuses the
    // thread, the function that calls the toolkit is to be changed.
    if !isCheckOwn, link.isOfPool { return nil }
    let isAtEntry = FunctionName(touched.place.function).isClosure && reading.check != nil
    return isAtEntry ? nil : link
  }

  /// The handover as a headline: caller, callee and queue, and the check of the program that failed.
  func handedOver(expecting check: FailedCheck) -> String? {
    guard let link = handover, let touched = reading.touched else { return nil }
    // Own code that a queue or a pool ran has no framework to name.
    if touched == link.frame, link.isOfPool || link.framework == nil { return nil }
    let home = check.home == .owner ? Home.owner.words : "the main thread"
    let place = isUntold ? "off \(home)" : "on \(queueName)"
    let name = DisplayText.name(link.frame.place)
    let call =
      link.framework.map { "\($0) called \(name) \(place)" }
      ?? "\(DisplayText.capitalized(name)) ran \(place)"
    let expected = check.home == .main ? "the main thread" : check.expectation
    let led = touched == link.frame ? call : "\(call): it led to \(DisplayText.name(touched.place))"
    guard !isCheckOwn, let called else { return "\(led), whose check expects \(expected)" }
    return "\(led), and \(called.place.function) expects \(expected)"
  }

  /// The name of the main thread; that of the main queue if the report's platform has queues.
  var mainWords: String {
    guard isForeignReport, queue == nil else { return Home.main.words }
    let language = (reading.touched ?? frames.first { $0.isNamed }).flatMap {
      CodeLanguage($0.place)
    }
    return language?.isOfSwift ?? true ? Home.main.words : "the main thread"
  }

  /// Whether the report names neither the queue nor the thread.
  private var isUntold: Bool {
    isForeignReport && queue == nil && (crash.thread?.name ?? "").isEmpty
  }

  /// Whether the program's own code checked where it runs, be it by a helper of a library.
  var isCheckOwn: Bool {
    guard let called else { return true }
    switch called.role {
    case .ui: return false
    case .library: return called.place.module == "Foundation" || Self.isCheck(called.place.function)
    case .check, .runtime, .drain, .code: return true
    }
  }

  /// The function that the program's own code called last.
  private var called: Frame? {
    frames.prefix { $0.role != .code }.last { $0.role != .runtime }
  }

  private static func isCheck(_ function: String) -> Bool {
    let bare = function.drop { $0 == "_" }
    let name = FunctionName(
      String(bare.hasPrefix("GI_") ? bare.dropFirst(3).drop { $0 == "_" } : bare)
    ).last.lowercased()
    return [
      "assert", "g_assert", "qt_assert", "check", "verify", "precondition", "ensure", "require",
    ].contains(
      where: name.hasPrefix)
  }

  /// The callback that led to the fault, or the function that was running.
  var callback: CodePlace? { reading.culprit.map { SourceLine.added(to: $0.place) } }

  /// The call off the main thread that ended in the crash; nil if no queue is known to have made the call.
  var call: CodePlace? {
    guard let thread = crash.thread, thread.queue != nil, thread.onMain != .yes else { return nil }
    return (reading.entered ?? reading.culprit)?.place
  }

  /// The function that was running; its caller, if it called an address without code.
  private var touched: Frame? {
    let isCode = { (link: StackReading.Link) in
      guard link.frame.place.function.hasPrefix("0x") else { return true }
      return UInt64(link.frame.place.function.dropFirst(2), radix: 16).map { $0 >= 4096 } ?? true
    }
    return reading.links.first(where: isCode)?.frame ?? reading.touched
  }

  /// Why the program's own code gave up, as the inlined frame at its trap says; empty if unknown.
  var reason: String {
    let prefix = "Swift runtime failure: "
    let name = frames.prefix { $0.role != .code }.first { $0.place.function.hasPrefix(prefix) }
    return name.map { String($0.place.function.dropFirst(prefix.count)) } ?? ""
  }

  /// Whether NIO refused to wait on the event loop that would have to answer.
  var waitsOnEventLoop: Bool {
    frames.prefix { $0.role != .code }.contains {
      $0.place.function.contains("_preconditionSafeToWait")
    }
  }

  var queue: String? { crash.thread?.queue?.label }

  /// When it was; a report may not tell.
  var moment: Moment {
    Moment(monotonic: crash.monotonic, wall: crash.wall, isTold: !isForeignReport || crash.wall > 0)
  }

  /// The name of the queue; a report may omit the name of a queue that exists.
  var queueName: String {
    guard isForeignReport, queue == nil else { return DisplayText.queue(queue) }
    return isUntold
      ? (mainWords == Home.main.words
        ? DisplayText.unnamedQueue : "a thread that the report does not name")
      : "thread “\(crash.thread?.name ?? "")”"
  }

  /// The thread that crashed, in words.
  func thread(in run: RunState) -> String {
    crash.thread?.ordinal.map { run.thread($0) }
      ?? run.thread(kernelID: crash.kernelID, crash.thread?.name ?? "")
  }

  func threadName(in run: RunState) -> Finding.ThreadName {
    Finding.ThreadName(
      id: crash.kernelID, index: crash.thread?.ordinal ?? 0, name: crash.thread?.name ?? "")
  }

  /// True if another process requested the end.
  func wasAskedFor(in run: RunState) -> Bool {
    let isForeign = crash.sender.map { $0.process != run.source.process?.id } ?? false
    return isForeign || SignalName.of(crash.signal) == "SIGQUIT"
  }

  /// Whether it is a check of a queue or of an isolation that failed and ended the process.
  var isIsolationTrap: Bool {
    guard [4, 5, 6].contains(crash.signal), reading.check != nil || expected != nil else {
      return false
    }
    guard isForeignReport else { return true }
    // A check that work is *not* on a queue tells of no work off it.
    let names = frames.prefix { $0.role != .code }.map(\.place.function)
    if names.contains(where: { $0.hasPrefix("dispatch_assert_queue_not") }) { return false }
    guard crash.thread?.onMain == .yes else { return true }
    // A process forked from the main thread is on it and fails the check all the same.
    return expected.map { !$0.isOfMain } ?? false
  }

  /// The affinity that a failed check expected. The trap of an affinity has it in its message, also if no frame
  /// has a name: `board: expected main queue, ran on queue net (thread 7)`.
  var expected: Home? {
    if let expected = crash.expected { return Home(expected: expected) }
    let text = crash.text
    guard let start = text.range(of: ": expected "),
      let end = text[start.upperBound...].range(of: ", ran on ")
    else { return nil }
    return Home(expected: String(text[start.upperBound..<end.lowerBound]))
  }

  /// A commit of UI changes that were made earlier, in which the process died.
  func lateCommit(in run: RunState) -> LateCommitStory? {
    guard crash.thread?.onMain != .yes else { return nil }
    return LateCommitStory(reading, thread: thread(in: run), queue: queue)
  }

  /// True if the crashed thread was in code that runs when a process exits.
  var isInExit: Bool {
    frames.contains {
      ["__run_exit_handlers", "exit"].contains($0.place.function) && $0.role != .code
    }
  }

  /// Whether a thread waited for a queue that it held itself.
  var isOwnDeadlock: Bool {
    if crash.text.contains(WaitFunctions.ownQueue) { return true }
    return [4, 5].contains(crash.signal)
      && frames.prefix { $0.role != .code }.contains {
        $0.place.function.hasPrefix("__DISPATCH_WAIT_FOR_QUEUE__")
      }
  }
}

extension Finding {
  /// Says whose crash it is about, when that was, and what came before.
  mutating func tell(of crash: CrashReading, in run: RunState) {
    thread = crash.threadName(in: run)
    queue = crash.queue
    wall = crash.crash.wall
    nearby = run.crumbs(before: crash.moment)
    // The subject of a report is not one of its crumbs.
    if run.source.isForeignReport {
      nearby.removeAll { $0.text.hasPrefix("\(CrumbKind.violation.name):") }
    }
  }
}
