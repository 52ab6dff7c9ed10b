import IncidentModel

/// Reads system messages about an unresponsive process that have no stack of the program: Android's
/// log, Windows' events and reports, the kernel's log.
enum StandstillLines {
  static let needles = [
    "ANR in ", "stopped interacting with Windows", "EventType=AppHang", "blocked for more than ",
    "failed to respond ", "Show Blocked State", "reagiert nicht mehr und wurde",
    "Event Name:\tAppHang",
    "Event Name: AppHang", "a cessé d'interagir avec Windows", "Hang detected on ",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard !Messages.isLiteral(line) else { return nil }
    return android(line, text) ?? watchdog(line, text) ?? windows(line, text) ?? kernel(line, text)
  }

  private static func report(
    _ format: ForeignFormat, _ title: String, _ advice: String, process: String = "", id: Int = 0
  ) -> CrashReport {
    var report = CrashReport(format)
    (report.process, report.processID) = (process, id)
    report.toldHang = ToldHang(title: title, advice: advice)
    return report
  }

  // MARK: Android

  /// Parses `ActivityManager: ANR in org.loom (org.loom/.Board)`, `PID: 20111`, `Reason: Input
  /// dispatching timed out (…)`.
  private static func android(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard let place = line.range(of: "ANR in "), Messages.stands(at: place.lowerBound, in: line),
      line.contains("ActivityManager") || line.trimmed.hasPrefix("ANR in ")
    else { return nil }
    let name = String(line[place.upperBound...].prefix { $0 != " " && $0 != "," && $0 != "(" })
    guard name.contains(".") else { return nil }
    // The threads may follow below the system's own state.
    let dump = text.lines[(text.middle + 1)...].prefix(80).firstIndex {
      $0.text.hasPrefix("\"main\" prio=5 tid=")
    }
    if let dump, text.lines[text.middle..<dump].contains(where: { $0.text.contains(": \(name)") }),
      let found = AndroidTraces.read(text.moved(to: dump), isTold: true)
    {
      return found
    }
    var (id, reason, end) = (0, "", text.middle + 1)
    for place in (text.middle + 1)..<min(text.middle + 8, text.lines.count) {
      let line = text.lines[place].text
      // A thread dump follows, and its reader reports more.
      if line.contains("prio=5 tid=") { return nil }
      if let mark = line.range(of: "PID: ") {
        id = Int(line[mark.upperBound...].prefix(while: \.isNumber)) ?? 0
      }
      if let mark = line.range(of: "Reason: ") { reason = line[mark.upperBound...].trimmed }
      let isField = ["PID: ", "Reason: ", "Parent: ", "Load: "].contains(where: line.contains)
      if isField { end = place + 1 }
    }
    let why = reason.isEmpty ? "" : ": \(reason)"
    var report = report(
      .androidLogcat, "The main thread did not answer\(why)",
      "Read the stacks of that moment: adb bugreport stores them in FS/data/anr, the Play console shows "
        + "them with the ANR. The stack of “main” names the blocking code.",
      process: name, id: id)
    report.crumbs = LogLines.crumbs(above: text.middle, in: text, process: id)
    return (report, end)
  }

  /// Parses `UI thread failed to respond to ping within 2000 ms` and the thread's stack below it.
  private static func watchdog(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard let place = line.range(of: "failed to respond "),
      line[..<place.lowerBound].count(where: { $0 == "\"" }) % 2 == 0
    else { return nil }
    let before = line[..<place.lowerBound].lowercased()
    guard
      ["ui thread", "main thread", "main looper", "edt", "event dispatch thread"].contains(
        where: before.contains)
    else { return nil }
    var report = CrashReport(.androidLogcat)
    var thread = CrashReport.Thread(number: 1, name: "main", isMain: true)
    let end = text.read(from: text.middle + 1, patience: 3) { line in
      guard let frame = LoopWatch.javaFrame(line) else { return false }
      thread.frames.append(frame)
      return true
    }
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    let lasted = duration(in: line[place.upperBound...])
    guard !thread.frames.isEmpty else {
      let time = lasted > 0 ? " for \(lasted / 1_000_000) ms" : ""
      report.toldHang = ToldHang(
        title: "The main thread did not answer\(time)",
        advice:
          "Configure the watchdog that wrote this line to print the main thread's stack as well: "
          + "the stack contains the blocking code.")
      return (report, end)
    }
    report.threads = [thread]
    report.hang = CrashReport.Hang(thread: 1, lasted: lasted)
    return (report, end)
  }

  /// The duration in `… within 2000 ms` or `… for 2000ms`, in nanoseconds.
  private static func duration(in text: Substring) -> UInt64 {
    guard let unit = text.range(of: "ms") else { return 0 }
    let digits = text[..<unit.lowerBound].trimmed.reversed().prefix { $0.isNumber }
    return WallClock.nanoseconds(seconds: (Double(String(digits.reversed())) ?? 0) / 1000)
  }

  // MARK: Windows

  private static let dump =
    "Take a dump during the hang, for example with procdump -h, and read the stack of the thread that owns the window."

  private static func windows(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    let marks = [
      "stopped interacting with Windows", "reagiert nicht mehr und wurde",
      "a cessé d'interagir avec Windows",
    ]
    if let mark = line.range(ofAny: marks), let name = program(in: line),
      Messages.stands(at: sentence(before: mark.lowerBound, in: line), in: line)
    {
      let id = text.lines[text.middle...].prefix(6).lazy.compactMap { line -> Int? in
        guard let mark = line.text.range(of: "ID: ") ?? line.text.range(of: "ID : ") else {
          return nil
        }
        return Int(line.text[mark.upperBound...].trimmed, radix: 16)
      }.first
      return (
        report(
          .windowsEvent, "\(name) did not answer its window's messages, and Windows closed it",
          dump,
          process: name, id: id ?? 0), text.middle + 1
      )
    }
    guard ["Event Name:", "EventType="].contains(where: line.trimmed.hasPrefix),
      line.contains("AppHang")
    else { return nil }
    for place in text.lines.indices[text.middle...].prefix(40) {
      let field = text.lines[place].text.trimmed
      guard field.hasSuffix(".exe"),
        let mark = field.firstIndex(of: "=") ?? field.firstIndex(of: ":"),
        let name = field[field.index(after: mark)...].trimmed.split(separator: "\\").last
      else { continue }
      return (
        report(
          .windowsEvent, "\(name) did not answer its window's messages, and was closed", dump,
          process: String(name)), place + 1
      )
    }
    return nil
  }

  /// The start of the sentence around a position: `The program Kasse.exe version 4.2.0.0 `.
  private static func sentence(before place: String.Index, in line: String) -> String.Index {
    let words = line[..<place]
    return ["The program ", "Programm ", "Das Programm ", "Le programme "].lazy.compactMap {
      words.range(of: $0)?.lowerBound
    }.min() ?? words.lastRange(of: ": ")?.upperBound ?? line.startIndex
  }

  /// The first word of a sentence that ends in `.exe`.
  private static func program(in line: String) -> String? {
    line.split(separator: " ").map { $0.trimmedOf("\"',.;()") }.first { $0.hasSuffix(".exe") }
  }

  // MARK: Linux

  /// Parses `INFO: task tidepool:2214 blocked for more than 120 seconds.`, or the kernel's list of
  /// blocked tasks with their kernel stacks.
  private static func kernel(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    var (name, id, time) = ("", 0, "")
    var first = text.middle + 1
    if let start = line.range(of: "INFO: task "),
      let end = line.range(of: " blocked for more than "),
      start.upperBound < end.lowerBound, Messages.stands(at: start.lowerBound, in: line)
    {
      let task = line[start.upperBound..<end.lowerBound]
      guard let colon = task.lastIndex(of: ":"),
        let number = Int(task[task.index(after: colon)...])
      else { return nil }
      (name, id) = (String(task[..<colon]), number)
      time = " for more than \(line[end.upperBound...].trimmedOf(". "))"
    } else if let mark = line.range(of: "sysrq: Show Blocked State") {
      guard Messages.stands(at: mark.lowerBound, in: line),
        let place = text.lines[first...].prefix(4).firstIndex(where: { $0.text.contains("task:") }),
        let task = listed(text.lines[place].text)
      else { return nil }
      (name, id) = task
      first = place + 1
    } else {
      return nil
    }
    var (calls, end) = ([String](), first)
    for place in first..<min(first + 40, text.lines.count) {
      let said = text.lines[place].text
      if said.contains("</TASK>") || said.contains("INFO: task ") { break }
      if said.contains("task:"), place > first + 1, !calls.isEmpty { break }
      guard
        let call = said.split(separator: " ").first(where: { word in
          word.contains("+0x") && word.contains("/0x")
        })
      else { continue }
      calls.append(String(call.prefix { $0 != "+" }))
      end = place + 1
    }
    let scheduler = [
      "__schedule", "schedule", "io_schedule", "schedule_timeout", "schedule_preempt_disabled",
    ]
    let place = calls.first { !scheduler.contains($0) }.map { ", in \($0)" } ?? ""
    let way = calls.drop { scheduler.contains($0) }.prefix(4).joined(separator: " ← ")
    return (
      report(
        .kernelLog,
        "\(name) (process \(id)) slept in the kernel\(time), and no signal could wake it\(place)",
        (way.isEmpty ? "" : "The thread waits in \(way). ")
          + "Check the disk, the network file system or the kernel lock of that call: the report shows no code of "
          + "the program's own.",
        process: name, id: id), max(end, text.middle + 1)
    )
  }

  /// Parses `task:kelpd           state:D stack:0     pid:3120  ppid:1`.
  private static func listed(_ line: String) -> (name: String, id: Int)? {
    guard let start = line.range(of: "task:")?.upperBound, let mark = line.range(of: "pid:") else {
      return nil
    }
    let digits = line[mark.upperBound...].drop { $0 == " " }.prefix(while: \.isNumber)
    return Int(digits).map { (String(line[start...].prefix { $0 != " " }), $0) }
  }
}
