import IncidentModel

/// The cause of a process's death: its kind, and its complete message.
///
/// A message takes precedence over a signal, and a signal over nearby events. Failed checks and
/// deadlocks have separate findings.
struct Death {
  /// The kinds of deaths, whose raw values are part of fingerprints.
  enum Kind: String, CaseIterable {
    case unwrappedNil = "unwrapped-nil"
    case outOfBounds = "out-of-bounds"
    case overflow
    case divisionByZero = "division-by-zero"
    case lostValue = "lost-value"
    case failedCast = "failed-cast"
    case uncaughtError = "uncaught-error"
    case exclusivity
    case deadReference = "dead-reference"
    case eventLoopCheck = "event-loop-check"
    case eventLoopWait = "event-loop-wait"
    case continuationResumedTwice = "continuation-resumed-twice"
    case leakedPromise = "leaked-promise"
    case freedObject = "freed-object"
    case outOfMemory = "out-of-memory"
    case precondition
    case assertion
    case fatalError = "fatal-error"
    case uncaughtException = "uncaught-exception"
    case heapCorruption = "heap-corruption"
    case cAssertion = "c-assertion"
    case stackOverflow = "stack-overflow"
    case null
    case badAccess = "bad-access"
    case unreadableMapping = "unreadable-mapping"
    case badSystemCall = "bad-system-call"
    case trap
    case aborted
    case blockingMain = "blocking-main"
    case sent
    case other
  }

  let kind: Kind
  /// True if the process was already exiting.
  var isWhileExiting = false
  /// The message of the program or a library; empty without one.
  let message: String
  /// The first part of the message, for a headline; further lines are evidence.
  private var headline: String
  /// True if the message says that code ran off the main thread. The opposite complaint, that code
  /// must not run on it, does not count.
  let claimsOffMain: Bool
  /// True if a message or a check states the cause; otherwise only a signal is known.
  var isSaid: Bool { !message.isEmpty || !Self.unsaid.contains(kind) }

  /// True if the death is due to damaged memory or simultaneous accesses. Two threads that change a
  /// dictionary can leave it with a duplicate key.
  var isOfMemory: Bool {
    kind.isOfMemory || message.contains("Duplicate keys of type")
      || message.contains("Duplicate elements of type")
  }

  /// True if the process could not open another file, which is seldom the fault of the code that died.
  var isOutOfFiles: Bool { message.contains("Too many open files") }

  /// True if the crashed code itself caused the death: the same call in the same state would crash
  /// again.
  var isOfItsCall: Bool { kind.isOfItsCall && !isOfMemory }

  private static let unsaid: Set<Kind> = [
    .null, .badAccess, .unreadableMapping, .trap, .aborted, .sent, .other,
  ]

  init(_ crash: CrashReading, wasAskedFor: Bool) {
    let message = crash.crash.text
    let reason = crash.waitsOnEventLoop ? Self.waitOnEventLoop : crash.reason
    self.message = message.isEmpty ? reason : message
    headline = message.isEmpty ? reason : crash.crash.firstLines
    claimsOffMain = ThreadClaim.requiresMain(self.message)
    kind = Self.kind(of: crash, said: self.message, wasAskedFor)
  }

  init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
    headline = message
    claimsOffMain = ThreadClaim.requiresMain(message)
  }

  // MARK: Kind

  private static func kind(
    of crash: CrashReading, said message: String, _ wasAskedFor: Bool
  ) -> Kind {
    if wasAskedFor { return .sent }
    if crash.crash.title?.contains("NetworkOnMainThreadException") == true { return .blockingMain }
    if let kind = phrases.first(where: { message.contains($0.0) })?.1 { return kind }
    // The message in another tool's report may be any text, so that tool's title takes precedence.
    if crash.crash.title != nil, !message.isEmpty { return .other }
    // A title without a signal or Mach exception leaves the signal unknown.
    if let title = crash.crash.title, !title.contains("SIG"), !title.hasPrefix("EXC_") {
      return .other
    }
    if crash.crash.texts.contains(where: \.isException) { return .uncaughtException }
    return bySignal(crash)
  }

  /// Phrases in the runtimes' messages; the first match determines the kind.
  private static let phrases: [(String, Kind)] = [
    ("Unexpectedly found nil", .unwrappedNil),
    ("ndex out of range", .outOfBounds), ("ndex is out of range", .outOfBounds),
    ("out of bounds", .outOfBounds), ("Range requires", .outOfBounds),
    ("arithmetic overflow", .overflow), ("results in an overflow", .overflow),
    ("ivision by zero", .divisionByZero),
    ("Not enough bits to represent", .lostValue), ("is not representable", .lostValue),
    ("cannot be converted to", .lostValue),
    ("Could not cast value of type", .failedCast), ("type cast failed", .failedCast),
    ("Error raised at top level", .uncaughtError),
    ("'try!' expression unexpectedly raised an error", .uncaughtError),
    ("Fatal access conflict detected", .exclusivity), ("overlapping accesses", .exclusivity),
    ("Simultaneous accesses to", .exclusivity),
    ("Attempted to read an unowned reference", .deadReference),
    ("tried to resume its continuation more than once", .continuationResumedTwice),
    ("leaking promise", .leakedPromise),
    ("must not be called when on an EventLoop", .eventLoopWait), ("inEventLoop", .eventLoopCheck),
    ("n EventLoop", .eventLoopCheck), ("xpectation of EventLoop", .eventLoopCheck),
    ("deallocated with non-zero retain count", .freedObject),
    ("retained during deinit", .freedObject),
    ("deallocated with retain count", .freedObject),
    ("Could not allocate memory", .outOfMemory), ("failed to allocate ", .outOfMemory),
    ("std::bad_alloc", .outOfMemory),
    ("Precondition failed", .precondition), ("precondition failure", .precondition),
    ("Assertion failed", .assertion), ("Fatal error", .fatalError),
    ("double free", .heapCorruption), ("free():", .heapCorruption),
    ("malloc():", .heapCorruption), ("corrupted size", .heapCorruption),
    ("malloc_consolidate", .heapCorruption), ("stack smashing detected", .heapCorruption),
    ("Assertion `", .cAssertion),
  ]

  private static func bySignal(_ crash: CrashReading) -> Kind {
    switch SignalName.of(crash.crash.signal) {
    case "SIGSEGV", "SIGBUS":
      if isStackOverflow(crash.crash) { return .stackOverflow }
      if crash.crash.isWithoutAddress { return .badAccess }
      guard let address = crash.crash.address, crash.crash.sender == nil else { return .other }
      if address < 4096 { return .null }
      return crash.crash.signal == 7 ? .unreadableMapping : .badAccess
    case "SIGFPE": return .divisionByZero
    case "SIGSYS": return .badSystemCall
    case "SIGILL", "SIGTRAP": return .trap
    case "SIGABRT": return .aborted
    default: return .other
    }
  }

  /// True for a fault at the stack pointer with at least 100 frames: the stack has reached its
  /// guard page.
  private static func isStackOverflow(_ crash: Crash) -> Bool {
    guard let address = crash.address, let stack = crash.thread?.stack, stack.frames.count >= 100,
      let pointer = crash.registers.flatMap({ $0["rsp"] ?? $0["sp"] })
    else { return false }
    let reach: UInt64 = 1 << 16
    return address < pointer ? pointer - address < reach : address - pointer < reach
  }

  // MARK: Message

  /// The message for a headline, without text that the kind repeats and without the leading file
  /// name, which is the culprit line.
  var shortMessage: String {
    var text = Substring(headline)
    for mark in Self.beginnings {
      if let range = text.range(of: mark) { text = text[range.upperBound...] }
    }
    if Self.namedInFull.contains(where: text.hasPrefix) { return "" }
    if text.hasSuffix("Precondition failed") || text.hasSuffix("Assertion failed") { return "" }
    if kind == .cAssertion, let start = text.range(of: "Assertion `") {
      text = text[start.upperBound...].prefix { $0 != "'" }
    }
    // Addresses differ in each run.
    return String(text.replacing(/0x[0-9a-f]{9,}/, with: "0x…"))
  }

  /// Sentences of the runtime that the name of the kind replaces. The program's additional text is
  /// kept.
  private static let namedInFull = [
    "Unexpectedly found nil", "Index out of range", "Array index is out of range",
    "Negative Array index is out of range", "String index is out of bounds", "arithmetic overflow",
    "Division by zero", "Fatal access conflict detected", "Simultaneous accesses to",
    "overlapping accesses", "Attempted to read an unowned reference", "precondition failure",
  ]

  /// Returns the message of a failed check from its source line, if the optimizer removed the
  /// message from the program.
  func message(in source: String?) -> String {
    guard [.precondition, .assertion].contains(kind), shortMessage.isEmpty,
      let source, ["precondition", "assert"].contains(where: source.contains),
      let found = source.matches(of: /"([^"\\]+)"\)/).last
    else { return "" }
    return String(found.1)
  }

  /// NIO's message in a debug build.
  private static let waitOnEventLoop = "wait() must not be called when on an EventLoop."

  private static let beginnings = [
    "Fatal error: ", "Precondition failed: ", "Assertion failed: ", "Error raised at top level: ",
    "'try!' expression unexpectedly raised an error: ", "SWIFT TASK CONTINUATION MISUSE: ",
    "BUG DETECTED: ",
  ]

  /// The thread or queue that the message concerns; nil if the message names none.
  var claim: String? {
    if claimsOffMain { return "the main thread" }
    return headline.lowercased().contains("deadlock") ? "a deadlock" : nil
  }

  /// Returns the place that the message names, if the stack only shows the code that detected the
  /// problem.
  func place(in crash: CrashReading) -> CodePlace? {
    guard kind == .leakedPromise, let touched = crash.reading.touched?.place,
      let named = message.firstMatch(of: /file: "([^"]+)", line: (\d+)/), let line = Int(named.2),
      let file = named.1.split(separator: "/").last
    else { return nil }
    let isHere = touched.file.map { $0.split(separator: "/").last == file } ?? false
    var place = SourceLine.added(
      to: CodePlace(
        function: isHere ? touched.function : "", module: touched.module,
        file: isHere ? touched.file : String(named.1), line: line))
    // The creator is not the function that released the promise.
    if isHere, place.written != nil { place.function = "" }
    return place
  }

  // MARK: Text

  /// Returns the beginning of a headline.
  func heading(of crash: Crash) -> String {
    (isWhileExiting ? "Died while exiting: " : "") + name(of: crash)
  }

  /// Returns the name of the death for the beginning of a headline.
  func name(of crash: Crash) -> String {
    let signal = crash.name
    return switch kind {
    case .unwrappedNil: "Nil was unwrapped"
    case .outOfBounds: "Index out of range"
    case .overflow: "Arithmetic overflow"
    case .divisionByZero: "Division by zero"
    case .lostValue: "A number does not fit its type"
    case .failedCast: "A forced cast failed"
    case .uncaughtError: "An error was not caught"
    case .exclusivity: "Two overlapping accesses to one variable"
    case .deadReference: "An unowned reference outlived its object"
    case .eventLoopCheck: "An event loop check failed"
    case .continuationResumedTwice: "A continuation was resumed twice"
    case .leakedPromise: "A promise was never fulfilled"
    case .eventLoopWait: "A blocking wait on an event loop"
    case .freedObject: "An object was retained during its deinit"
    case .outOfMemory: "Out of memory"
    case .precondition: "A precondition failed"
    case .assertion: "An assertion failed"
    case .fatalError: "Fatal error"
    case .uncaughtException: "An exception was not caught"
    case .heapCorruption: "The heap is damaged"
    case .cAssertion: "A C assertion failed"
    case .stackOverflow: "Stack overflow"
    case .blockingMain: "The network was called on the main thread (\(signal))"
    case .null: "\(signal) through a null pointer"
    case .badAccess: "\(signal), bad memory access"
    case .unreadableMapping: "\(signal), unreadable mapped memory"
    case .badSystemCall: "\(signal), a system call that is not allowed"
    case .trap: signal.contains("SIGTRAP") ? "\(signal), a trap" : "\(signal), illegal instruction"
    case .other: signal
    case .aborted: signal.contains("Sanitizer") ? signal : "\(signal), abort"
    case .sent: signal
    }
  }
}

extension Death.Kind {
  /// True if the kind is a failed check of where code runs or waits.
  var isCheck: Bool { [.eventLoopCheck, .eventLoopWait].contains(self) }

  /// True if the kind indicates damaged memory or simultaneous accesses.
  var isOfMemory: Bool {
    [.badAccess, .null, .heapCorruption, .exclusivity, .freedObject].contains(self)
  }

  /// True if the message or signal states what the code did.
  var isOfItsCall: Bool {
    [
      .unwrappedNil, .outOfBounds, .overflow, .divisionByZero, .lostValue, .failedCast,
      .uncaughtError, .deadReference, .continuationResumedTwice, .precondition, .assertion,
      .fatalError, .stackOverflow,
    ].contains(self)
  }
}

extension Crash.Text {
  fileprivate var isException: Bool {
    switch self {
    case .exception, .exceptionType: true
    case .swift, .cLibrary: false
    }
  }
}
