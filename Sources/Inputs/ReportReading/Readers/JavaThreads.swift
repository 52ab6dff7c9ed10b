import IncidentModel

/// Reads a Java thread dump with held and awaited locks, as printed by `jstack`, `kill -QUIT`, the
/// freeze detector of an IDE, and `ThreadInfo`.
struct JavaThreads {
  static let needles = ["java.lang.Thread.State: ", "Full thread dump ", "Java-level deadlock"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    var reader = JavaThreads()
    let start = text.lines[..<text.middle].suffix(3).firstIndex { Headline($0.text) != nil }
    let end = reader.read(text, from: start ?? text.middle)
    return reader.finish(text, above: start ?? text.middle).map { ($0, end) }
  }

  /// The first line of a thread: `"booking-1" #22 daemon prio=5 os_prio=0 tid=0x00007f5a nid=0xa11
  /// waiting for monitor entry`, `"booking-1" Id=41 BLOCKED on java.lang.Object@1b2c owned by
  /// "booking-2" Id=40`, or the name and a colon.
  private struct Headline {
    var name: String
    var rest: Substring

    init?(_ line: String) {
      let text = line[LogMargin.end(of: line)...].drop { $0 == " " || $0 == "\t" }
      guard text.utf8.first == UInt8(ascii: "\""), text.utf8.count < 512,
        let close = text.dropFirst().range(of: "\" ") ?? text.dropFirst().range(of: "\":")
      else { return nil }
      name = String(text[text.index(after: text.startIndex)..<close.lowerBound])
      rest = text[close.upperBound...]
      // Android's dumps have a decimal `tid`, the thread's number.
      if rest.contains("tid="), !rest.contains("tid=0x") { return nil }
      let isDeadlock = rest.trimmed.isEmpty && text.hasSuffix("\":")
      guard isDeadlock || Self.marks.contains(where: rest.contains) else { return nil }
    }

    private static let marks = [
      "prio=", "nid=", "Id=", "tid=0x", "#", "os_prio", "daemon",
    ]
  }

  private var report = CrashReport(.javaThreads)
  private var current: Int?
  /// The indices of the threads by name.
  private var places: [String: Int] = [:]
  /// The lock that a thread waits for, by the thread's index.
  private var awaited: [Int: String] = [:]
  private var owners: [String: Int] = [:]
  /// The lock owner's name, by the index of the waiting thread.
  private var ownerNames: [Int: String] = [:]
  private var isTold = false
  private var isInDeadlock = false

  private mutating func read(_ text: ConsoleText, from start: Int) -> Int {
    max(text.read(from: start, patience: 12) { take($0) }, text.middle + 1)
  }

  /// - Returns: true if the line belongs to the dump.
  private mutating func take(_ line: String) -> Bool {
    let text = line[LogMargin.end(of: line)...].trimmed
    if text.contains("Java-level deadlock") || text.hasPrefix("Java stack information for") {
      (isTold, isInDeadlock) = (true, true)
      return true
    }
    if let headline = Headline(line) {
      begin(headline)
      return true
    }
    if text.hasPrefix("java.lang.Thread.State: ") { return current != nil }
    if text.hasPrefix("Full thread dump") || text.hasPrefix("Found ") { return true }
    guard let place = current else { return false }
    if text.hasPrefix("at "), let frame = Logcat.frame(of: text[...]) {
      // The deadlock section repeats the stacks.
      if report.threads[place].frames.count < CrashReport.mostFrames, !isRepeated {
        report.threads[place].frames.append(frame)
      }
      return true
    }
    takeOwner(text, of: place)
    guard text.hasPrefix("- ") else { return text.hasPrefix("which is held by") || isWait(text) }
    takeLock(text.dropFirst(2), of: place)
    return true
  }

  private var isRepeated: Bool { isInDeadlock && repeated.contains(current ?? -1) }
  /// The threads whose stacks precede the deadlock section.
  private var repeated: Set<Int> = []

  private func isWait(_ text: String) -> Bool {
    ["waiting to lock monitor", "waiting for ownable", "on java.", "on kotlin.", "Locked ownable"]
      .contains(where: text.hasPrefix)
  }

  private mutating func begin(_ headline: Headline) {
    if let known = places[headline.name] {
      current = known
      if isInDeadlock, !report.threads[known].frames.isEmpty { repeated.insert(known) }
    } else if report.threads.count < CrashReport.mostThreads {
      let number = report.threads.count + 1
      var thread = CrashReport.Thread(number: number, name: headline.name, isMain: false)
      thread.isMain = Self.isOfUI(headline.name)
      report.threads.append(thread)
      places[headline.name] = number - 1
      current = number - 1
    }
    if let current { takeOwner(String(headline.rest), of: current) }
  }

  private static func isOfUI(_ name: String) -> Bool {
    name.hasPrefix("AWT-EventQueue") || name == "JavaFX Application Thread"
  }

  /// Parses `waiting to lock <0x8f0a> (a dev.Account)`, `locked <0x8f0a> (a dev.Account)`,
  /// `<0x8f0b> (a …ReentrantLock…)`.
  private mutating func takeLock(_ text: Substring, of place: Int) {
    guard !isRepeated, let open = text.firstIndex(of: "<"),
      let close = text[open...].firstIndex(of: ">")
    else { return }
    let lock = String(text[open...close])
    if text.hasPrefix("locked ") || text.hasPrefix("<") {
      owners[lock] = place
    } else if text.hasPrefix("waiting to lock ") || text.hasPrefix("parking to wait for "),
      awaited[place] == nil
    {
      awaited[place] = lock
      guard text.hasPrefix("waiting") else { return }
      report.threads[place].frames.insert(
        CrashReport.Frame(symbol: WaitFunctions.lock, image: "java.base", isOwn: false), at: 0)
    }
  }

  /// Parses `which is held by "booking-2"` and `owned by "booking-2" Id=40`.
  private mutating func takeOwner(_ text: String, of place: Int) {
    for mark in ["which is held by \"", "owned by \""] {
      guard let start = text.range(of: mark)?.upperBound,
        let end = text[start...].firstIndex(of: "\"")
      else { continue }
      ownerNames[place] = String(text[start..<end])
    }
  }

  private mutating func finish(_ text: ConsoleText, above line: Int) -> CrashReport? {
    guard report.threads.contains(where: { !$0.frames.isEmpty }) else { return nil }
    for place in report.threads.indices {
      let named = ownerNames[place].flatMap { places[$0] }
      guard let owner = named ?? awaited[place].flatMap({ owners[$0] }), owner != place else {
        continue
      }
      report.threads[place].waitsFor = report.threads[owner].number
    }
    report.numbersThreads = false
    if isTold { report.standstill = "The Java runtime found a deadlock" }
    if let main = report.threads.first(where: { $0.isMain == true }) {
      report.hang = CrashReport.Hang(thread: main.number, isTold: isFreeze(text, above: line))
    }
    report.crumbs = LogLines.crumbs(above: line, in: text)
    return report
  }

  /// True if the lines above the dump say that it was taken because the user interface did not
  /// respond.
  private func isFreeze(_ text: ConsoleText, above line: Int) -> Bool {
    text.lines[max(0, line - 12)..<min(line + 1, text.lines.count)].contains { line in
      ["UI was frozen", "Freeze in EDT", "not responding", "EDT is not responding", "UI freeze"]
        .contains(where: line.text.contains)
    }
  }
}
