import IncidentModel

/// Makes crumbs of the log lines above a crash. The cause may have left the stack, and then only
/// these lines show it.
enum LogLines {
  private static let most = 8
  private static let reach = 40

  /// - Parameter process: the only process whose lines count, if the log names processes; 0 for
  ///   all.
  static func crumbs(above line: Int, in text: ConsoleText, process: Int = 0)
    -> [CrashReport.Crumb]
  {
    var found: [CrashReport.Crumb] = []
    var heading = ""
    for place in max(0, line - reach)..<line {
      let said = text.lines[place].text
      if let crumb = crumb(said, under: heading, process) { found.append(crumb) }
      heading = Self.heading(said)
    }
    return found.suffix(most)
  }

  /// The crumbs of a log that was pasted below a report.
  static func crumbs(below line: Int, in text: ConsoleText) -> [CrashReport.Crumb] {
    let lines = text.lines[min(line, text.lines.count)...].prefix(reach).map(\.text)
    guard lines.count(where: startsWithTime) >= 2 else { return [] }
    return lines.filter(startsWithTime).compactMap { crumb($0, under: "", 0) }.suffix(most)
  }

  private static func startsWithTime(_ line: String) -> Bool {
    let said = line.trimmedOf(" \t>|`[#")
    return said.utf8.first?.isDigit == true && hasTime(String(said.prefix(26)))
  }

  private static func crumb(_ line: String, under heading: String, _ process: Int)
    -> CrashReport.Crumb?
  {
    let said = line.trimmedOf(" \t>|`")
    guard (8..<400).contains(said.utf8.count) else { return nil }
    if let entry = Entry(logcat: said) {
      let isSame = process == 0 || entry.process == process
      return isSame && !platformTags.contains(entry.category) ? entry.crumb : nil
    }
    if let entry = Entry(console: said) {
      return process == 0 || entry.process == process ? entry.crumb : nil
    }
    if let entry = Entry(chromium: said) {
      return process == 0 || entry.process == process ? entry.crumb : nil
    }
    if said.hasPrefix("Exception ignored in: ") {
      return CrashReport.Crumb(category: "log", message: said)
    }
    guard said.utf8.lazy.filter({ $0 | 32 >= 97 && $0 | 32 <= 122 || $0 >= 0x80 }).count > 3 else {
      return nil
    }
    // A header line of .NET's loggers has the category; the message is on the line below.
    guard hasTime(said) || !heading.isEmpty, !said.hasPrefix("#"), !said.hasPrefix("at "),
      !isField(said)
    else { return nil }
    return CrashReport.Crumb(category: heading.isEmpty ? "log" : heading, message: said)
  }

  /// True if a line is a field of a report's header: `Date:          12.03.2024 16:02:44`, `!ENTRY
  /// a.b 4 2 2024-01-22 …`.
  private static func isField(_ line: String) -> Bool {
    if ["!ENTRY ", "!SESSION "].contains(where: line.hasPrefix) { return true }
    let name = line.prefix { $0.isLetter || $0 == " " || $0 == "/" || $0 == "-" }
    guard line[name.endIndex...].first == ":", name.first?.isUppercase == true else { return false }
    let value = line[name.endIndex...].dropFirst().trimmed
    return [
      "Date", "Time", "Launch", "Created", "Logged", "Start", "End", "Datum", "Zeit", "Fecha",
      "Heure", "Data",
    ].contains(
      where: name.contains) && value.utf8.first?.isDigit == true
  }

  /// Tags of Android components that log in every application's process.
  private static let platformTags: Set<String> = [
    "AndroidRuntime", "CameraManagerGlobal", "Choreographer", "OpenGLRenderer", "ViewRootImpl",
    "InputMethodManager", "ActivityThread", "libEGL", "EGL_emulation", "art", "zygote", "zygote64",
    "chatty", "BufferQueueProducer", "gralloc", "Gralloc4", "WindowManager", "ActivityManager",
    "ActivityTaskManager", "SurfaceView", "Surface", "AudioTrack", "MediaCodec", "ACodec", "CCodec",
    "DEBUG", "libc", "crash_dump64", "HWUI", "Adreno-GSL", "Adreno", "TextToSpeech", "Dialog",
    "InputEventReceiver", "InsetsController", "ImeFocusController", "Parcel", "StrictMode",
    "BLASTBufferQueue", "SurfaceControl", "DecorView", "NetworkSecurityConfig", "ziparchive",
    "Process", "System", "System.err",
  ]

  /// The category of a .NET log header: `Orrery.Feed` for `info: Orrery.Feed[3]`.
  private static func heading(_ line: String) -> String {
    let said = line.trimmed
    guard
      ["trce: ", "dbug: ", "info: ", "warn: ", "fail: ", "crit: "].contains(where: said.hasPrefix),
      said.hasSuffix("]"), let open = said.lastIndex(of: "[")
    else { return "" }
    return String(said[..<open].dropFirst(6))
  }

  /// True if a line contains a time of day such as `14:02:11`.
  private static func hasTime(_ line: String) -> Bool {
    let bytes = Array(line.utf8.prefix(64))
    guard bytes.count >= 8 else { return false }
    return (0...(bytes.count - 8)).contains { start in
      (0..<8).allSatisfy { place in
        let byte = bytes[start + place]
        return place == 2 || place == 5 ? byte == UInt8(ascii: ":") : byte.isDigit
      }
    }
  }

  /// A log line with a process, a thread, a category and a message.
  private struct Entry {
    var process: Int
    var thread: Int
    var category: String
    var message: String
    var time: String

    var crumb: CrashReport.Crumb {
      CrashReport.Crumb(
        thread: thread, category: category, message: time.isEmpty ? message : "\(time) \(message)")
    }

    /// Parses a logcat line: `03-11 09:22:41.911  8841  8893 I Pellet.Chart: series loaded`.
    init?(logcat line: String) {
      guard let prefix = LogcatPrefix(line[...]), prefix.rest.dropFirst().first == " ",
        let colon = prefix.rest.range(of: ":")
      else { return nil }
      (process, thread, time) = (prefix.process, prefix.thread, String(prefix.time))
      category = prefix.rest.dropFirst(2)[..<colon.lowerBound].trimmed
      message = prefix.rest[colon.upperBound...].trimmed
    }

    /// Parses a line of Apple's console: `2023-06-02 14:20:10.655 Foliot[8123:402290]
    /// SheetOperation: page 17`.
    init?(console line: String) {
      guard let log = LogPrefix(line), let thread = log.thread, LogLines.hasTime(line),
        let close = line.range(of: "] ")?.upperBound
      else { return nil }
      (process, self.thread) = (log.processID, thread)
      category = "log"
      message = line[close...].trimmed
      time = String(line.split(separator: " ").first { $0.contains(":") } ?? "")
      if message.isEmpty || message.hasPrefix("***") { return nil }
    }

    /// Parses a line of Chromium's log: `[18220:18277:0309/141210.552871:INFO:CONSOLE(88)] "reader:
    /// card present"`.
    init?(chromium line: String) {
      guard let head = ChromiumHead(line), head.severity != "FATAL" else { return nil }
      (process, thread, category) = (head.process, head.thread, head.place)
      message = String(line[head.end...]).trimmed
      time = head.time
    }
  }
}

/// The prefix of a line of Chromium's log:
/// `[18220:18277:0309/141210.552871:FATAL:layer_tree_host.cc(587)] `.
struct ChromiumHead {
  var process = 0
  var thread = CrashReport.unknownThread
  var time = ""
  var severity = ""
  var place = ""
  /// The start of the message.
  var end: String.Index

  /// The maximum number of characters before the message.
  private static let longest = 512

  init?(_ line: String) {
    let head = line.prefix(Self.longest)
    guard let open = head.firstIndex(of: "["), head[..<open].trimmedOf("> |\t`").isEmpty,
      let close = head.range(of: "] ")
    else { return nil }
    var fields = line[line.index(after: open)..<close.lowerBound].split(separator: ":")[...]
    var numbers: [Int] = []
    while let number = fields.first.flatMap({ Int($0) }) {
      numbers.append(number)
      fields = fields.dropFirst()
    }
    guard let moment = fields.popFirst(), moment.contains("/"), let severity = fields.popFirst(),
      ["FATAL", "ERROR", "WARNING", "INFO", "VERBOSE1"].contains(severity), let place = fields.first
    else { return nil }
    if numbers.count >= 2 { (process, thread) = (numbers[0], numbers[1]) }
    self.severity = String(severity)
    self.place = String(place)
    time = String(moment)
    end = close.upperBound
  }
}
