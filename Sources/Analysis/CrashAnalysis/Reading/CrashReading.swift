import IncidentModel

/// A crash with its symbolicated and classified stack.
struct CrashReading {
  let crash: Crash
  let reading: StackReading
  let frames: [Frame]
  /// True if the crash is from a report of another tool.
  let isForeignReport: Bool

  init?(in run: RunState) {
    guard let crash = run.recordedCrash, crash.stage != .recovered else { return nil }
    self.crash = crash
    frames = crash.thread.map { run.frames(of: $0.stack, when: crash.monotonic) } ?? []
    reading = run.read(frames)
    isForeignReport = run.source.isForeignReport
  }

  /// Creates a crash without a stack.
  init(_ crash: Crash) {
    self.crash = crash
    frames = []
    reading = StackReading([])
    isForeignReport = false
  }

  /// The culprit: the callback or own function nearest to the fault.
  var culprit: CodePlace? {
    let frame = isIsolationTrap ? handover?.frame ?? reading.culprit : touched
    return frame.map { SourceLine.added(to: $0.place) }
  }

  /// The call from other code into the program that led to a failed thread check of the program or
  /// a toolkit. The check is right: the function to fix is the one that other code called on the
  /// wrong thread. A check that the compiler inserts at a closure's entry concerns the nearest code
  /// instead.
  var handover: StackReading.Link? {
    guard isForeignReport, isIsolationTrap,
      expected.map({ $0.isOfMain || $0 == .owner }) ?? (reading.check != nil),
      let touched = reading.touched, touched.role == .code,
      let link = reading.handover, link.frame.isNamed
    else { return nil }
    // A function that the program itself sent to a queue or pool is its own code. If a toolkit
    // refuses the thread, the function that calls the toolkit must change.
    if !isCheckOwn, link.isOfPool { return nil }
    let isAtEntry = FunctionName(touched.place.function).isClosure && reading.check != nil
    return isAtEntry ? nil : link
  }

  /// Returns a headline for the handover: caller, callee and queue, and the check of the program
  /// that failed.
  func handedOver(expecting check: FailedCheck) -> String? {
    guard let link = handover, let touched = reading.touched else { return nil }
    // Own code that a queue or pool ran has no framework as its caller.
    if touched == link.frame, link.isOfPool || link.framework == nil { return nil }
    let home = check.home == .owner ? Home.owner.words : "the main thread"
    let isOfThread = check.home.isOfMain || check.home == .owner
    let place = isUntold && isOfThread ? "off \(home)" : "on \(queueName)"
    let name = DisplayText.name(link.frame.place)
    let call =
      link.framework.map { "\($0) called \(name) \(place)" }
      ?? "\(DisplayText.capitalized(name)) ran \(place)"
    let expected = check.home == .main ? "the main thread" : check.expectation
    let led =
      touched == link.frame ? call : "\(call): the call led to \(DisplayText.name(touched.place))"
    guard !isCheckOwn, let called else { return "\(led), whose check expects \(expected)" }
    return "\(led), and \(called.place.function) expects \(expected)"
  }

  /// The name of the main queue, or of the main thread if the report's platform has no queues.
  var mainWords: String {
    guard isForeignReport, queue == nil else { return Home.main.words }
    let language = (reading.touched ?? frames.first { $0.isNamed }).flatMap {
      CodeLanguage($0.place)
    }
    return language?.isOfSwift ?? true ? Home.main.words : "the main thread"
  }

  /// True if the report names neither the queue nor the thread.
  private var isUntold: Bool {
    isForeignReport && queue == nil && (crash.thread?.name ?? "").isEmpty
  }

  /// True if the program's own code made the check, directly or through a library's assertion
  /// helper.
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

  /// The off-main call that ended in the crash; nil if its queue is unknown.
  var call: CodePlace? {
    guard let thread = crash.thread, thread.queue != nil, thread.onMain != .yes else { return nil }
    return (reading.entered ?? reading.culprit)?.place
  }

  /// The function that was running; if it called an address without code, its caller.
  private var touched: Frame? {
    let isCode = { (link: StackReading.Link) in
      guard link.frame.place.function.hasPrefix("0x") else { return true }
      return UInt64(link.frame.place.function.dropFirst(2), radix: 16).map { $0 >= 4096 } ?? true
    }
    return reading.links.first(where: isCode)?.frame ?? reading.touched
  }

  /// The runtime failure that the inlined frame at the trap names; empty if unknown.
  var reason: String {
    let prefix = "Swift runtime failure: "
    let name = frames.prefix { $0.role != .code }.first { $0.place.function.hasPrefix(prefix) }
    return name.map { String($0.place.function.dropFirst(prefix.count)) } ?? ""
  }

  /// True if NIO refused to wait on the event loop that would have to complete the future.
  var waitsOnEventLoop: Bool {
    frames.prefix { $0.role != .code }.contains {
      $0.place.function.contains("_preconditionSafeToWait")
    }
  }

  var queue: String? { crash.thread?.queue?.label }

  /// The time of the crash; a report may not state it.
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

  /// Returns the display name of the crashed thread.
  func thread(in run: RunState) -> String {
    crash.thread?.ordinal.map { run.thread($0) }
      ?? run.thread(kernelID: crash.kernelID, crash.thread?.name ?? "")
  }

  func threadName(in run: RunState) -> Finding.ThreadName {
    Finding.ThreadName(
      id: crash.kernelID, index: crash.thread?.ordinal ?? 0, name: crash.thread?.name ?? "")
  }

  /// True if another process requested the end, or the signal is SIGQUIT.
  func wasAskedFor(in run: RunState) -> Bool {
    let isForeign = crash.sender.map { $0.process != run.source.process?.id } ?? false
    return isForeign || SignalName.of(crash.signal) == "SIGQUIT"
  }

  /// True if the system ended the process, whatever its threads did.
  var isKilled: Bool { isForeignReport && SignalName.of(crash.signal) == "SIGKILL" }

  /// True if a failed check of a queue or an isolation ended the process.
  var isIsolationTrap: Bool {
    guard [4, 5, 6].contains(crash.signal), reading.check != nil || expected != nil else {
      return false
    }
    guard isForeignReport else { return true }
    // A check that work is *not* on a queue does not show work on a wrong queue.
    let names = frames.prefix { $0.role != .code }.map(\.place.function)
    if names.contains(where: { $0.hasPrefix("dispatch_assert_queue_not") }) { return false }
    guard crash.thread?.onMain == .yes else { return true }
    // A child forked from the main thread still runs on it, but fails libdispatch's main-queue
    // check; such a trap is no violation.
    return expected.map { !$0.isOfMain } ?? false
  }

  /// The affinity that a failed check expected. The trap's message states it even if no frame has a
  /// name: `board: expected main queue, ran on queue net (thread 7)`.
  var expected: Home? {
    if let expected = crash.expected { return Home(expected: expected) }
    let text = crash.text
    guard let start = text.range(of: ": expected "),
      let end = text[start.upperBound...].range(of: ", ran on ")
    else { return nil }
    return Home(expected: String(text[start.upperBound..<end.lowerBound]))
  }

  /// Returns the explanation of a crash in a commit of UI changes that earlier code made.
  func lateCommit(in run: RunState) -> LateCommitStory? {
    guard crash.thread?.onMain != .yes else { return nil }
    return LateCommitStory(reading, thread: thread(in: run), queue: queue)
  }

  /// True if the crashed thread ran exit handlers.
  var isInExit: Bool {
    frames.contains {
      ["__run_exit_handlers", "exit"].contains($0.place.function) && $0.role != .code
    }
  }

  /// True if a thread waited for a queue that it held itself.
  var isOwnDeadlock: Bool {
    if crash.text.contains(WaitFunctions.ownQueue) { return true }
    return [4, 5].contains(crash.signal)
      && frames.prefix { $0.role != .code }.contains {
        $0.place.function.hasPrefix("__DISPATCH_WAIT_FOR_QUEUE__")
      }
  }
}

extension Finding {
  /// Adds the thread, the time and the preceding crumbs of a crash to the finding.
  mutating func tell(of crash: CrashReading, in run: RunState) {
    thread = crash.threadName(in: run)
    queue = crash.queue
    wall = crash.crash.wall
    nearby = run.crumbs(before: crash.moment)
    if let bug = KnownBug(provedBy: crash) { blame(bug) }
    // In a report of another tool, the crash itself is not a crumb near the finding.
    if run.source.isForeignReport {
      nearby.removeAll { crumb in
        [CrumbKind.violation, .hang].contains { crumb.text.hasPrefix("\($0.name):") }
      }
    }
  }
}
