import IncidentModel

/// Reads the thread dump of an unresponsive Android process, from `traces.txt` or the Play console.
struct AndroidTraces {
  static let needles = [" prio=5 tid=", "\" tid=", "&quot; tid="]
  /// Phrases above the threads that report an unresponsive process.
  private static let claims = [
    "ANR in ", "Input dispatching timed out", "Broadcast of Intent", "executing service ",
    "Application Not Responding", "Subject: ", "ANR",
  ]

  /// - Parameter isTold: True if the log above says that the process did not respond.
  static func read(
    _ text: ConsoleText, isTold: Bool = false
  ) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard Headline(line) != nil else { return nil }
    let text = line.first == "\"" ? text : text.withoutPrefix(before: "\"", in: text.middle)
    var reader = AndroidTraces()
    reader.hang.isTold = isTold
    reader.takeHead(above: text.middle, in: text)
    let end = reader.read(text)
    return reader.finish().map { ($0, end) }
  }

  /// The first line of a thread: `"main" prio=5 tid=1 Blocked`, `"main" tid=1 Blocked`. A `tid` in
  /// hexadecimal belongs to a dump of a desktop JVM.
  private struct Headline {
    var name: String
    var number: Int
    var state: String

    init?(_ line: String) {
      let text = line.trimmedOf(" \t>|/*#")
      guard text.utf8.first == UInt8(ascii: "\""), let close = text.dropFirst().lastRange(of: "\"")
      else { return nil }
      name = String(text[text.index(after: text.startIndex)..<close.lowerBound])
      var words = text[close.upperBound...].split(separator: " ")[...]
      if words.first == "daemon" { words = words.dropFirst() }
      if words.first?.hasPrefix("prio=") == true { words = words.dropFirst() }
      guard words.count >= 2, let id = words.first, id.hasPrefix("tid="),
        let number = Int(id.dropFirst(4)), let state = words.dropFirst().first,
        state.allSatisfy({ $0.isLetter || $0 == "_" })
      else { return nil }
      self.number = number
      self.state = String(state)
    }
  }

  private var report = CrashReport(.androidTraces)
  private var hang = CrashReport.Hang(thread: 1, isTold: false)

  private mutating func takeHead(above line: Int, in text: ConsoleText) {
    for line in text.lines[max(0, line - 24)..<line].map(\.text) {
      if line.contains("----- end ") { report = CrashReport(.androidTraces) }
      if let place = line.range(of: "----- pid ") {
        report.processID = Int(line[place.upperBound...].prefix(while: \.isNumber)) ?? 0
        let time = line.range(of: " at ").map { String(line[$0.upperBound...]) }
        report.wall = time.flatMap { WallClock.nanoseconds($0.trimmedOf("- ")) } ?? 0
      } else if let place = line.range(of: "Cmd line: ") {
        report.process = line[place.upperBound...].trimmed
      } else if let place = line.range(of: "ANR in ") {
        report.process = String(line[place.upperBound...].prefix { $0 != " " && $0 != "," })
      } else if let place = line.range(of: "PID: "), report.processID == 0 {
        report.processID = Int(line[place.upperBound...].prefix(while: \.isNumber)) ?? 0
      }
      if Self.claims.contains(where: line.contains) { hang.isTold = true }
    }
  }

  /// The maximum number of lines without a frame. The limit bounds the work, because the search
  /// starts again at every such line.
  private static let mostBarren = 120

  private mutating func read(_ text: ConsoleText) -> Int {
    var barren = 0
    return text.read(from: text.middle, most: 40_000, patience: 13) { line in
      barren = report.threads.last?.frames.isEmpty == false ? 0 : barren + 1
      if barren > Self.mostBarren || line.contains("----- end ") || line.contains("----- pid ") {
        return nil
      }
      return Headline(line).map { begin($0) } ?? take(line)
    }
  }

  private mutating func begin(_ headline: Headline) -> Bool? {
    // The Play console prints two headlines for each thread.
    if report.threads.last?.number == headline.number, report.threads.last?.frames.isEmpty == true {
      return true
    }
    return report.begin(
      CrashReport.Thread(
        number: headline.number, name: headline.name,
        isMain: headline.number == 1 && headline.name == "main"))
  }

  /// - Returns: true if the line belongs to the thread.
  private mutating func take(_ line: String) -> Bool {
    guard let place = report.threads.indices.last else { return false }
    let text = line.trimmedOf(" \t>*#")
    if text.hasPrefix("at "), let frame = Logcat.frame(of: text[...]) {
      return report.add(frame)
    }
    if let id = text.range(of: "sysTid=") {
      report.threads[place].id = Int(text[id.upperBound...].prefix(while: \.isNumber)) ?? 0
      return true
    }
    guard let lock = text.range(of: WaitFunctions.lock) else {
      return text.hasPrefix("|") || text.hasPrefix("- ") || text.hasPrefix("native: ")
        || text.hasPrefix("kernel: ") || text.hasPrefix("(no managed") || text.hasPrefix("#")
    }
    for mark in ["held by thread ", "held by tid="] {
      guard let holder = text.range(of: mark) else { continue }
      report.threads[place].waitsFor = Int(text[holder.upperBound...].prefix(while: \.isNumber))
    }
    guard report.threads[place].frames.count < CrashReport.mostFrames else { return true }
    // The lock is printed below the frame that waits for the lock.
    report.threads[place].frames.insert(
      CrashReport.Frame(symbol: String(text[lock.lowerBound...]), image: "java.base", isOwn: false),
      at: 0)
    return true
  }

  private mutating func finish() -> CrashReport? {
    guard report.threads.contains(where: { !$0.frames.isEmpty }) else { return nil }
    let numbers = Set(report.threads.map(\.number))
    for place in report.threads.indices {
      if let holder = report.threads[place].waitsFor,
        !numbers.contains(holder) || holder == report.threads[place].number
      {
        report.threads[place].waitsFor = nil
      }
    }
    if let main = report.threads.first(where: { $0.isMain == true }) {
      hang.thread = main.number
      report.hang = hang
    }
    return report
  }
}
