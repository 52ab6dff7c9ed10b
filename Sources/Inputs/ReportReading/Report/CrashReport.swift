import IncidentModel

/// The content of a report: process, messages, stacks and preceding events.
package struct CrashReport: Sendable {
  /// A frame as a report prints it.
  struct Frame: Hashable, Sendable {
    /// As printed, mangled or not; empty if none exists.
    var symbol = ""
    /// The library or program; empty if none exists.
    var image = ""
    /// The image's path, where it is told.
    var path = ""
    var address: UInt64 = 0
    var file: String?
    var line: Int?
    var isInlined = false
    /// Whether the report itself says it is the application's own code; nil if the report does not say.
    var isOwn: Bool?
    /// Whether its name begins with a package or a namespace, which tells whose it is.
    var isManaged = false
  }

  struct Thread: Sendable {
    /// Its number in the report.
    var number: Int
    /// Its id in the system, where it is told.
    var id = 0
    var name = ""
    var queue: String?
    /// Whether it runs the main queue; nil if the report does not tell.
    var isMain: Bool?
    var frames: [Frame] = []
    /// The number of the thread that has what this one waits for, where that is told.
    var waitsFor: Int?
  }

  /// A main thread that did not answer.
  struct Hang: Sendable {
    /// The main thread's number.
    var thread: Int
    /// In nanoseconds; 0 if unknown.
    var lasted: UInt64 = 0
    /// True if the report states the hang; otherwise it is a snapshot of threads, which may have continued.
    var isTold = true
  }

  /// The end of the process, or an error that it reported before it continued.
  struct Failure: Sendable {
    /// The exception's type as the report has it.
    var type = ""
    var signal = ""
    /// The messages, most informative first.
    var texts: [String] = []
    var address: UInt64?
    /// False for an error that was reported while the process went on.
    var isFatal = true
    /// Whether the report shows that the process ended; an exception may end a thread or nothing.
    var endsProcess = true
    /// The place that a failed check expected: a queue, the main actor.
    var expected: String?
    /// The number of the thread that failed; nil if the report does not say.
    var thread: Int?
    /// The stack of a thrown exception, if it differs from the thread's own.
    var thrown: [Frame] = []

    /// Moves messages of the loader and the simulator about themselves behind the others.
    mutating func sortTexts() {
      let isSetting = { (text: String) in Self.settings.contains(where: text.hasPrefix) }
      texts = texts.filter { !isSetting($0) } + texts.filter(isSetting)
    }

    private static let settings = [
      "dyld2 mode", "dyld3 mode", "dyld4 config", "dyld config", "CoreSimulator ", "abort() called",
    ]
  }

  /// Main-queue work off the main queue, as the report says it.
  struct Violation: Sendable {
    /// The API that was called; empty if only its stack tells.
    var api = ""
    /// The expected place: the main queue or the main actor.
    var expected = "main queue"
    var thread: Int
    var frames: [Frame] = []
    var file: String?
    var line: Int?
  }

  struct Crumb: Sendable {
    /// Nanoseconds since 1970; nil if unknown.
    var wall: UInt64?
    /// The number of the thread that left it, where that is told.
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
  /// Nanoseconds since 1970; 0 if unknown.
  var wall: UInt64 = 0
  var threads: [Thread] = []
  var failure: Failure?
  var hang: Hang?
  /// The time for which the main thread did not answer, if the report states that and no stack shows the
  /// holder; 0 if the time is unknown.
  var unexplainedHang: UInt64?
  /// The hang that a system reports without stacks.
  var toldHang: ToldHang?
  /// The report's own statement that its threads wait for each other; nil if it has none.
  var standstill: String?
  /// The kind of race that a sanitizer saw between its threads.
  var toldRace: String?
  /// True if it shows all threads of a process and names no owners of locks.
  var hasUntoldLocks = false
  var violations: [Violation] = []
  var crumbs: [Crumb] = []
  /// Whether it says that the process was in the background, and not when it went there.
  var isInBackground = false
  /// True if the report numbers its threads; otherwise their numbers are indices that must not be
  /// printed.
  var numbersThreads = true
  var unread: [Unread] = []
  /// The images that the report says are the application's own.
  var ownImages: Set<String> = []

  /// The number of a thread that a report does not tell.
  static let unknownThread = IncidentThread.unknown

  init(_ format: ForeignFormat) { self.format = format }

  /// The thread that failed, where it is told.
  var failed: Thread? {
    guard let number = failure?.thread else { return nil }
    return threads.first { $0.number == number }
  }

  /// Treats an error that describes a hang as one, with its stack if the main thread has none of its own.
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

  /// The report without crumbs that repeat its failure's message.
  var withoutOwnWords: CrashReport {
    let said = failure?.texts.first.map { String($0.prefix(48)) } ?? ""
    guard said.utf8.count >= 24 else { return self }
    var report = self
    report.crumbs.removeAll { $0.message.contains(said) }
    return report
  }

  func thread(_ number: Int) -> Thread? { threads.first { $0.number == number } }

  /// The number of the thread at a place of the report's list; nil if it was too long to keep.
  func number(ofThreadAt place: Int) -> Int? {
    threads.indices.contains(place) ? threads[place].number : nil
  }

  /// Whether another report tells of the same death: of one process, or with the same words and no other process.
  func isSameDeath(as other: CrashReport) -> Bool {
    guard let failure, let told = other.failure, failure.isFatal, told.isFatal else { return false }
    if processID != 0, other.processID != 0 { return processID == other.processID }
    let said = { (failure: Failure) in
      failure.texts.first.map { ThreadClaim.reason(in: $0).trimmedOf("'. ") } ?? ""
    }
    return !said(failure).isEmpty && said(failure) == said(told)
  }
}
