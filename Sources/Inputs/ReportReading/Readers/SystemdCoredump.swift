import IncidentModel

/// Reads journal entries about core dumps, as text or JSON.
enum SystemdCoredump {
  static let header = " dumped core."

  static func recognises(_ json: JSON) -> Bool {
    json["COREDUMP_PID"] != nil && json.first("COREDUMP_COMM", "COREDUMP_SIGNAL", "MESSAGE") != nil
  }

  static func read(_ json: JSON) -> CrashReport? {
    let message = JournalText.bytes(of: json["MESSAGE"])
    var report =
      read(ConsoleText(message[...], start: 0, place: 0, goesOn: false))?.report
      ?? CrashReport(.systemdCoredump)
    let name =
      json["COREDUMP_SIGNAL_NAME"]?.string
      ?? json["COREDUMP_SIGNAL"]?.integer.map(SignalName.of) ?? ""
    report.process = json["COREDUMP_COMM"]?.string ?? report.process
    report.processID = json["COREDUMP_PID"]?.integer ?? report.processID
    var failure = report.failure ?? CrashReport.Failure(thread: json["COREDUMP_TID"]?.integer)
    failure.signal = name
    report.failure = failure
    let time = json["__REALTIME_TIMESTAMP"]?.integer.flatMap { UInt64(exactly: $0) } ?? 0
    report.wall = time < 1 << 53 ? time * 1000 : 0
    return report
  }

  /// Reads `Process 4242 (quarryd) of user 1000 dumped core.` and the stacks below that line.
  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard line.contains(header), let start = line.range(of: "Process ")?.upperBound else {
      return nil
    }
    let digits = line[start...].prefix(while: \.isNumber)
    guard let id = Int(digits) else { return nil }
    var report = CrashReport(.systemdCoredump)
    report.processID = id
    let rest = line[start...].dropFirst(digits.count)
    if rest.hasPrefix(" ("), let close = rest.firstIndex(of: ")") {
      report.process = String(rest[..<close].dropFirst(2))
    }
    report.ownImages = [report.process]
    let end = takeStacks(text, into: &report)
    report.failure = CrashReport.Failure(type: "core dumped", thread: report.threads.first?.number)
    report.failure?.signal = signal(above: text.middle, in: text)
    return (report, end)
  }

  /// Parses `Signal: 4 (ILL)`, which `coredumpctl info` prints some lines above.
  private static func signal(above message: Int, in text: ConsoleText) -> String {
    for place in stride(from: message - 1, through: max(0, message - 24), by: -1) {
      let line = text.lines[place].text.trimmed
      if line.hasPrefix("PID: ") { break }
      guard line.hasPrefix("Signal: ") else { continue }
      let words = line.dropFirst("Signal: ".count).split(separator: " ")
      return words.first.flatMap { Int($0) }.map(SignalName.of) ?? ""
    }
    return ""
  }

  private static func takeStacks(_ text: ConsoleText, into report: inout CrashReport) -> Int {
    var end = text.middle + 1
    var missed = 0
    for place in (text.middle + 1)..<max(text.middle + 1, text.lines.count) where missed <= 6 {
      text.search.lines += 1
      let line = text.lines[place].text
      if line.contains(header) { break }
      if let start = line.range(of: "Stack trace of thread ")?.upperBound {
        let number = Int(line[start...].prefix(while: \.isNumber)) ?? 0
        guard report.threads.count < 4096 else { break }
        report.threads.append(
          CrashReport.Thread(number: number, id: number, isMain: number == report.processID))
      } else if let frame = frame(line), !report.threads.isEmpty {
        report.threads[report.threads.count - 1].frames.append(frame)
      } else if !isModule(line) {
        missed += 1
        continue
      }
      missed = 0
      end = place + 1
    }
    return end
  }

  /// True for a line that names a module. Newer versions of systemd list all modules before the
  /// stacks.
  private static func isModule(_ line: String) -> Bool {
    line.contains("Module ") || line.contains("Found module ")
  }

  /// Parses `#0  0x00007f3a1c name (image + 0x1234)`.
  static func frame(_ line: String) -> CrashReport.Frame? {
    guard let start = line.range(of: "#")?.lowerBound else { return nil }
    let words = line[start...].dropFirst().split(separator: " ", maxSplits: 2)
    guard words.count == 3, Int(words[0]) != nil, let address = UInt64(hexadecimal: words[1]) else {
      return nil
    }
    var frame = CrashReport.Frame(address: address)
    var text = words[2].trimmed[...]
    if let open = text.lastRange(of: " ("), text.hasSuffix(")") {
      let image = text[open.upperBound...].dropLast().split(separator: " ").first ?? ""
      frame.path = String(image)
      frame.image = image.split(separator: "/").last.map(String.init) ?? ""
      text = text[..<open.lowerBound]
    }
    frame.symbol = text == "n/a" ? "" : String(text)
    return frame
  }
}
