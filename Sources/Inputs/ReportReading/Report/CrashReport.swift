import IncidentModel

/// The content of a report: process, messages, stacks and preceding events.
package struct CrashReport: Sendable {
  /// A stack frame as the report prints it.
  struct Frame: Hashable, Sendable {
    /// The symbol as printed, mangled or not; empty if the report has none.
    var symbol = ""
    /// The name of the library or program; empty if the report has none.
    var image = ""
    /// The path of the image; empty if unknown.
    var path = ""
    var address: UInt64 = 0
    var file: String?
    var line: Int?
    var isInlined = false
    /// True if the report marks the frame as the application's own code; nil if the report does not
    /// say.
    var isOwn: Bool?
    /// True if the symbol begins with a package or a namespace, which identifies the owner.
    var isManaged = false
  }

  struct Thread: Sendable {
    /// The thread's number in the report.
    var number: Int
    /// The system's thread id; 0 if unknown.
    var id = 0
    var name = ""
    var queue: String?
    /// True if the thread runs the main queue; nil if the report does not say.
    var isMain: Bool?
    var frames: [Frame] = []
    /// The number of the thread that owns the awaited lock or result; nil if unknown.
    var waitsFor: Int?
  }

  /// A main thread that did not respond.
  struct Hang: Sendable {
    /// The main thread's number.
    var thread: Int
    /// The duration in nanoseconds; 0 if unknown.
    var lasted: UInt64 = 0
    /// True if the report states the hang. False for a snapshot of threads, which may have
    /// continued.
    var isTold = true
    /// True if a sample shows the main thread at one place all the time.
    var isWhole = false
    /// The name of the event loop if that hung, and not the main thread.
    var loop: String?
  }

  /// The end of the process, or an error that it reported before it continued.
  struct Failure: Sendable {
    /// The exception's type as printed.
    var type = ""
    var signal = ""
    /// The name of the failure, if the system's reason gives a better one than type and signal;
    /// else empty.
    var named = ""
    /// The messages, most informative first.
    var texts: [String] = []
    var address: UInt64?
    /// False for an error that was reported while the process continued.
    var isFatal = true
    /// True if the report shows that the process ended. An uncaught exception may end only its
    /// thread.
    var endsProcess = true
    /// The queue or actor that a failed check expected.
    var expected: String?
    /// The number of the thread that failed; nil if the report does not say.
    var thread: Int?
    /// The stack of a thrown exception, if it differs from the thread's own.
    var thrown: [Frame] = []

    /// Moves messages of the loader and the simulator behind all other messages, because they only
    /// state settings.
    mutating func sortTexts() {
      let isSetting = { (text: String) in Self.settings.contains(where: text.hasPrefix) }
      texts = texts.filter { !isSetting($0) } + texts.filter(isSetting)
    }

    private static let settings = [
      "dyld2 mode", "dyld3 mode", "dyld4 config", "dyld config", "CoreSimulator ", "abort() called",
    ]
  }

  /// Main-queue work off the main queue, as the report states it.
  struct Violation: Sendable {
    /// The API that was called; empty if only the stack shows the call.
    var api = ""
    /// The expected place: the main queue or the main actor.
    var expected = "main queue"
    var thread: Int
    var frames: [Frame] = []
    var file: String?
    var line: Int?
  }

  struct Crumb: Sendable {
    /// The time in nanoseconds since 1970; nil if unknown.
    var wall: UInt64?
    /// The number of the thread that logged the crumb; nil if unknown.
    var thread: Int?
    var kind = CrumbKind.note
    var level = CrumbLevel.info
    var category = ""
    var message = ""
    var data: [(key: String, value: String)] = []
  }

  package var format: ForeignFormat
  var process = ""
  /// The application's identifier, `com.acme.shop`; empty if the report has none.
  var package = ""
  var processID = 0
  /// The time of the report in nanoseconds since 1970; 0 if unknown.
  var wall: UInt64 = 0
  var threads: [Thread] = []
  var failure: Failure?
  var hang: Hang?
  /// The time for which the main thread did not answer, if the report states that and no stack shows the
  /// holder; 0 if the time is unknown.
  var unexplainedHang: UInt64?
  /// The hang that a system reports without stacks.
  var toldHang: ToldHang?
  /// A pool without a free thread: its name, and the numbers of its threads.
  var starvedPool: (name: String, threads: [Int])?
  /// The report's own statement that threads wait for each other; nil without such a statement.
  var standstill: String?
  /// The kind of race that a sanitizer reported; nil without a race.
  var toldRace: String?
  /// The tool that reported the race.
  var toldRaceBy = "Thread Sanitizer"
  /// True if the report lists all threads of the process but no owners of locks.
  var hasUntoldLocks = false
  var violations: [Violation] = []
  var crumbs: [Crumb] = []
  /// True if the report states that the process was in the background, without the time of the
  /// transition.
  var isInBackground = false
  /// True if the report numbers its threads. Otherwise the thread numbers are indices, which must
  /// not be shown to users.
  var numbersThreads = true
  var unread: [Unread] = []
  /// The images that the report says are the application's own.
  var ownImages: Set<String> = []

  /// The thread number if the report does not name the thread.
  static let unknownThread = IncidentThread.unknown

  init(_ format: ForeignFormat) { self.format = format }

  /// Creates a report of the tool `teller` about a race among threads that it does not number.
  init(_ format: ForeignFormat, toldRace race: String, by teller: String, among threads: [Thread]) {
    self.format = format
    self.threads = threads
    toldRace = race
    toldRaceBy = teller
    numbersThreads = false
  }

  /// The thread that failed; nil if unknown.
  var failed: Thread? {
    guard let number = failure?.thread else { return nil }
    return threads.first { $0.number == number }
  }

  /// Converts an error that describes a hang into a hang. The hang's stack is the error's if the
  /// main thread has none.
  mutating func takeHang() {
    let thrown = failure?.thrown ?? []
    let place =
      threads.firstIndex { $0.isMain == true }
      ?? threads.firstIndex { $0.number == failure?.thread && $0.isMain != false }
    guard let place else {
      guard !thrown.isEmpty else { return }
      threads.append(Thread(number: Self.unknownThread, isMain: true, frames: thrown))
      hang = Hang(thread: Self.unknownThread)
      return
    }
    threads[place].isMain = true
    if threads[place].frames.isEmpty { threads[place].frames = thrown }
    hang = Hang(thread: threads[place].number)
  }

  /// True if the report has a process or a stack, and not only a message.
  var hasSubject: Bool {
    format == .mainThreadChecker || processID != 0 || !process.isEmpty
      || failure?.thrown.isEmpty == false
      || threads.contains { !$0.frames.isEmpty || $0.id != 0 }
      || violations.contains { !$0.frames.isEmpty || $0.api.hasPrefix("-[") }
  }

  /// The report without crumbs that repeat the failure's message.
  var withoutOwnWords: CrashReport {
    let said = failure?.texts.first.map { String($0.prefix(48)) } ?? ""
    guard said.utf8.count >= 24 else { return self }
    var report = self
    report.crumbs.removeAll { $0.message.contains(said) }
    return report
  }

  static let mostThreads = 4096
  static let mostFrames = 1024

  /// Appends a thread.
  ///
  /// - Returns: nil, which ends the reading, if the report has the maximum number of threads.
  mutating func begin(_ thread: Thread) -> Bool? {
    guard threads.count < Self.mostThreads else { return nil }
    threads.append(thread)
    return true
  }

  /// Appends a frame to the last thread, up to the maximum number of frames.
  ///
  /// - Returns: false if the report has no thread.
  mutating func add(_ frame: Frame) -> Bool {
    guard let last = threads.indices.last else { return false }
    if threads[last].frames.count < Self.mostFrames { threads[last].frames.append(frame) }
    return true
  }

  func thread(_ number: Int) -> Thread? { threads.first { $0.number == number } }

  /// The number of the thread at an index of the report's list; nil if the list was truncated
  /// before that index.
  func number(ofThreadAt place: Int) -> Int? {
    threads.indices.contains(place) ? threads[place].number : nil
  }

  /// True if both reports describe the same death: the process ids are equal, or the messages are
  /// equal and at most one report has an id.
  func isSameDeath(as other: CrashReport) -> Bool {
    guard let failure, let told = other.failure, failure.isFatal, told.isFatal else { return false }
    if processID != 0, other.processID != 0 { return processID == other.processID }
    let said = { (failure: Failure) in
      failure.texts.first.map { ThreadClaim.reason(in: $0).trimmedOf("'. ") } ?? ""
    }
    return !said(failure).isEmpty && said(failure) == said(told)
  }
}
