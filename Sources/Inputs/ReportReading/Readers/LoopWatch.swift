import IncidentModel

/// Reads the lines of watchdogs within a program: an event loop, the main thread or a thread pool
/// was held for some time.
enum LoopWatch {
  static let needles = [
    " has been blocked for ", "StrictMode policy violation", "Executing <", "loop blocked for ",
    "loop was blocked for ", "thread pool starvation",
  ]
  /// The shortest time on a loop that is a fault, in nanoseconds.
  private static let least: UInt64 = 250_000_000

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = needles.first(where: line.contains), let place = line.range(of: mark),
      !Messages.isLiteral(line), !Messages.isQuoted(at: place.lowerBound, in: line)
    else { return nil }
    return switch mark {
    case needles[0]: thread(line, place, text)
    case needles[1]: strictMode(line[place.lowerBound...], text)
    case needles[2]: asyncio(line[place.upperBound...], text)
    case needles[5]: starved(line, text)
    default: loop(line, place, text)
    }
  }

  // MARK: Vert.x

  /// Parses `Thread Thread[#34,vert.x-eventloop-thread-1,5,main] has been blocked for 2811 ms, time
  /// limit is 2000 ms`. The watchdog repeats the line, and later adds the stack.
  private static func thread(
    _ line: String, _ place: Range<String.Index>, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard line.contains("time limit"), let name = name(in: line[..<place.lowerBound]) else {
      return nil
    }
    var lasted = milliseconds(in: line[place.upperBound...])
    var thread = CrashReport.Thread(number: 1, name: name, isMain: false)
    let end = text.read(from: text.middle + 1, patience: 4) { next in
      if let again = next.range(of: needles[0]) {
        guard self.name(in: next[..<again.lowerBound]) == name, thread.frames.isEmpty else {
          return nil
        }
        lasted = max(lasted, milliseconds(in: next[again.upperBound...]))
      } else if let frame = javaFrame(next) {
        thread.frames.append(frame)
      } else {
        return false
      }
      return true
    }
    return (hang(of: thread, loop: name, lasted, text), end)
  }

  /// The thread in `Thread Thread[#34,vert.x-eventloop-thread-1,5,main]`.
  private static func name(in text: Substring) -> String? {
    guard let open = text.lastRange(of: "Thread[") else { return nil }
    let fields = text[open.upperBound...].split(separator: ",")
    return fields.first { !$0.hasPrefix("#") }.map { $0.trimmedOf("]") }
  }

  static func javaFrame(_ line: String) -> CrashReport.Frame? {
    line.range(of: "at ").flatMap { Logcat.frame(of: line[$0.lowerBound...]) }
  }

  // MARK: Other loops

  /// Parses `Event loop blocked for 2113 ms`, and the frames below: `at fn (/srv/feed.js:41:7)`.
  private static func loop(
    _ line: String, _ place: Range<String.Index>, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    let lasted = milliseconds(in: line[place.upperBound...])
    guard lasted >= least else { return nil }
    let said = line[..<place.lowerBound].lowercased()
    guard said.hasSuffix("event ") || said.hasSuffix("event-") || said.hasSuffix("main ") else {
      return nil
    }
    var thread = CrashReport.Thread(number: 1, name: "event loop", isMain: false)
    let end = text.read(from: text.middle + 1, patience: 2) { line in
      let call = line.range(of: " at ").map { String(line[$0.lowerBound...]) } ?? line
      guard let frame = NodeError.frame(call) ?? javaFrame(line) else { return false }
      thread.frames.append(frame)
      return true
    }
    return (hang(of: thread, loop: "event loop", lasted, text), end)
  }

  /// Parses `<Task pending name='Task-7' coro=<Feed.poll() running at /srv/feed.py:41>> took 2.113
  /// seconds`, which Python's asyncio logs.
  private static func asyncio(
    _ said: Substring, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard said.hasSuffix(" seconds"), let took = said.lastRange(of: "> took "),
      let time = Double(said[took.upperBound...].dropLast(" seconds".count))
    else { return nil }
    let lasted = WallClock.nanoseconds(seconds: time)
    guard lasted >= least, let mark = said.range(of: "coro=<") ?? said.range(of: "Handle ") else {
      return nil
    }
    let name = said[mark.upperBound...].prefix { $0 != "(" && $0 != " " }
    let place = [" running at ", " defined at ", ") at "].lazy.compactMap { said.range(of: $0) }
      .first.flatMap { SourcePosition(said[$0.upperBound...].prefix { $0 != ">" && $0 != " " }) }
    guard let place else { return nil }
    var thread = CrashReport.Thread(number: 1, name: "asyncio", isMain: false)
    thread.frames = [PythonTraceback.frame(String(name), place.file, place.line)]
    return (hang(of: thread, loop: "asyncio", lasted, text), text.middle + 1)
  }

  private static func hang(
    of thread: CrashReport.Thread, loop: String, _ lasted: UInt64, _ text: ConsoleText
  ) -> CrashReport {
    var report = CrashReport(.console)
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    guard !thread.frames.isEmpty else {
      report.toldHang = ToldHang(
        title:
          "\(loop == "event loop" ? "The event loop" : "Event loop “\(loop)”") did not answer for "
          + "\(lasted / 1_000_000) ms",
        advice:
          "Configure the watchdog that wrote this line to print the stack of the loop's thread as well: "
          + "the stack contains the blocking code.")
      return report
    }
    report.threads = [thread]
    report.hang = CrashReport.Hang(thread: thread.number, lasted: lasted, loop: loop)
    return report
  }

  // MARK: Android

  /// Parses `StrictMode policy violation; ~duration=812 ms: android.os.strictmode.DiskReadViolation`
  /// and the stack below it.
  private static func strictMode(
    _ said: Substring, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    let isSlowCall = ["NetworkViolation", "CustomViolation"].contains(where: said.contains)
    let lasted = said.range(of: "~duration=").map { milliseconds(in: said[$0.upperBound...]) } ?? 0
    guard isSlowCall || said.contains("strictmode.Disk") && lasted >= least else { return nil }
    var thread = CrashReport.Thread(number: 1, name: "main", isMain: true)
    var end = text.middle + 1
    while end < text.lines.count, let frame = javaFrame(text.lines[end].text) {
      thread.frames.append(frame)
      end += 1
    }
    guard thread.frames.contains(where: { $0.symbol.hasPrefix("android.app.ActivityThread.main") })
    else { return nil }
    var report = CrashReport(.androidLogcat)
    report.threads = [thread]
    report.hang = CrashReport.Hang(thread: 1, lasted: lasted)
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  // MARK: Pools

  /// Parses Kestrel's heartbeat, `… could be caused by thread pool starvation.`, and a line of
  /// frames that the program may log below it: `A.B.Wait | C.Load(String) in /src/C.cs:line 45`.
  private static func starved(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard line.contains("heartbeat") || line.contains("could be caused by") else { return nil }
    var report = CrashReport(.managedStack)
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    for at in text.lines.indices[(text.middle + 1)...].prefix(24) {
      let said = text.lines[at].text
      guard let mark = said.range(of: " | ") else { continue }
      let start = said[..<mark.lowerBound].lastRange(of: ": ")?.upperBound ?? said.startIndex
      let frames = said[start...].split(separator: " | ").compactMap(ManagedStack.frame(named:))
      guard frames.count > 1, frames.contains(where: { $0.line != nil }) else { continue }
      report.threads = [CrashReport.Thread(number: 1, name: "pool", isMain: false, frames: frames)]
      report.starvedPool = ("the thread pool", [1])
      return (report, at + 1)
    }
    report.toldHang = ToldHang(
      title: "The server's heartbeat reported that the thread pool had no free thread",
      advice:
        "Run dotnet-stack report while the pool has no free thread: most stacks share a wait, and the frames that "
        + "lead to this wait are the blocking code.")
    return (report, text.middle + 1)
  }

  /// The first number of milliseconds in a text, in nanoseconds.
  private static func milliseconds(in text: Substring) -> UInt64 {
    let number = text.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
    return WallClock.nanoseconds(seconds: (Double(number) ?? 0) / 1000)
  }
}
