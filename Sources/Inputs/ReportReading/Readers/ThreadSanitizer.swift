import IncidentModel

/// Reads Thread Sanitizer's reports. A race is main-queue work off the main queue only if one side
/// is the main thread working on a view, and the other side accesses data of that view.
struct ThreadSanitizer {
  static let header = "WARNING: ThreadSanitizer: "

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = line.range(of: header) else { return nil }
    let text = text.withoutPrefix(before: header, in: text.middle)
    var reader = ThreadSanitizer(line[place.upperBound...])
    let end = reader.read(text)
    // A suppression list quotes the tool's first line.
    guard reader.report.processID != 0 || !reader.sides.isEmpty else { return nil }
    return (reader.finish(), end)
  }

  private var report = CrashReport(.threadSanitizer)
  private let kind: String
  /// The two threads of the race, each with its stack.
  private var sides: [CrashReport.Thread] = []
  private var isOpen = false

  private init(_ what: Substring) {
    kind = (what.range(of: " (pid=").map { what[..<$0.lowerBound] } ?? what).trimmed
    report.processID =
      what.range(of: "(pid=").flatMap {
        Int(what[$0.upperBound...].prefix(while: \.isNumber))
      } ?? 0
  }

  private mutating func read(_ text: ConsoleText) -> Int {
    var end = text.middle + 1
    var held: String?
    let following =
      (text.middle + 1)..<max(text.middle + 1, min(text.lines.count, text.middle + 400))
    for place in following {
      text.search.lines += 1
      var line = text.lines[place].text.trimmedOf(" \t>*/|\r")
      // The image may have been wrapped to the next line.
      if let held { line = "\(held) \(line)" }
      held = nil
      let next = place + 1 < following.upperBound ? text.lines[place + 1].text.trimmed : ""
      if line.hasPrefix("#"), ["(", "<", "_"].contains(where: next.hasPrefix) {
        held = line
        continue
      }
      if line.hasPrefix("====") || line.contains(Self.header) { break }
      if line.hasPrefix("SUMMARY: ThreadSanitizer") { return place + 1 }
      if let side = Self.side(line) {
        isOpen = sides.count < 2
        if isOpen { sides.append(side) }
      } else if let frame = Self.frame(line) {
        if sides.isEmpty {
          sides.append(CrashReport.Thread(number: CrashReport.unknownThread))
          isOpen = true
        }
        if isOpen { sides[sides.count - 1].frames.append(frame) }
        end = place + 1
      } else if !line.isEmpty {
        isOpen = false
      }
    }
    return end
  }

  /// Parses `Previous write of size 8 at 0x7b08 by thread T5 (mutexes: write M1):` and `… by main
  /// thread:`.
  private static func side(_ line: String) -> CrashReport.Thread? {
    if line.contains("acquired here while holding"), let place = line.lastRange(of: " in ") {
      return thread(line[place.upperBound...])
    }
    guard line.hasSuffix(":"), let place = line.lastRange(of: " by "),
      ["access", "rite of size", "ead of size"].contains(where: line.contains)
    else { return nil }
    return thread(line[place.upperBound...])
  }

  /// Parses `thread T5 'worker' (mutexes: write M1):` and `main thread:`.
  private static func thread(_ who: Substring) -> CrashReport.Thread {
    var thread = CrashReport.Thread(number: CrashReport.unknownThread)
    if who.hasPrefix("main thread") {
      thread.number = 0
      thread.isMain = true
    } else if who.hasPrefix("thread T") {
      let digits = who.dropFirst("thread T".count).prefix(while: \.isNumber)
      thread.number = Int(digits) ?? CrashReport.unknownThread
      thread.isMain = false
      if let open = who.range(of: " '") {
        thread.name = String(who[open.upperBound...].prefix { $0 != "'" })
      }
    }
    return thread
  }

  private mutating func finish() -> CrashReport {
    var failure = CrashReport.Failure(type: "ThreadSanitizer: \(kind)")
    failure.isFatal = false
    failure.thread = sides.first?.number ?? CrashReport.unknownThread
    report.threads = sides
    report.failure = failure
    if sides.count > 1, kind.contains("race") || kind.contains("lock-order") {
      report.toldRace = kind
    }
    if let main = sides.first(where: { $0.isMain == true }),
      let other = sides.first(where: { $0.isMain == false }),
      let call = OffMainReading.viewWork(main.frames, report).map({ _ in "" })
        ?? OffMainReading.mainOnlyCall(other.frames, report)
    {
      report.violations = [
        CrashReport.Violation(api: call, thread: other.number, frames: other.frames)
      ]
    }
    return report
  }

  /// Parses `#0 name() /home/File.swift:3:7 (image:x86_64+0x1234)`.
  static func frame(_ line: String) -> CrashReport.Frame? {
    guard line.hasPrefix("#") else { return nil }
    let rest = line.dropFirst()
    let digits = rest.prefix(while: \.isNumber)
    guard Int(digits) != nil, rest.dropFirst(digits.count).first == " " else { return nil }
    var text = rest.dropFirst(digits.count).trimmed[...]
    var frame = CrashReport.Frame()
    // The address sanitizer puts the address first.
    if text.hasPrefix("0x"), let word = text.range(of: " in ") {
      frame.address = UInt64(hexadecimal: text[..<word.lowerBound]) ?? 0
      text = text[word.upperBound...]
    }
    if text.hasSuffix(")"), let build = text.lastRange(of: " (BuildId: ") {
      text = text[..<build.lowerBound]
    }
    if text.hasSuffix(")"), let open = text.lastRange(of: " ("),
      text[open.upperBound...].contains("+0x") || text.hasSuffix("+)")
    {
      let image = text[open.upperBound...].prefix { $0 != "+" && $0 != ":" }
      frame.path = String(image)
      frame.image = image.split(separator: "/").last.map(String.init) ?? ""
      text = text[..<open.lowerBound]
    }
    if text.hasSuffix(" <null>") { text = text.dropLast(" <null>".count) }
    if let space = text.lastIndex(of: " ") {
      let word = text[text.index(after: space)...]
      if let place = SourcePosition(word) {
        frame.take(place)
        text = text[..<space]
      } else if isFile(word) {
        frame.file = String(word)
        text = text[..<space]
      }
    }
    frame.symbol = text.trimmed
    // Functions of the sanitizer's runtime, such as its replacement of `free`.
    if let file = frame.file, file.contains("compiler-rt/lib/") || file.contains("libsanitizer/") {
      frame.isOwn = false
    }
    return frame
  }

  /// True if a word is a source file without a line number: `/src/oven.c`, `queue.c`.
  private static func isFile(_ word: Substring) -> Bool {
    word.hasPrefix("/")
      || [".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".swift", ".S"].contains(where: word.hasSuffix)
  }
}
