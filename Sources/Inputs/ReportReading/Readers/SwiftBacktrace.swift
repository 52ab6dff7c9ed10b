import IncidentModel

/// Reads the output of `swift-backtrace`: plain text, terminal text, or JSON.
enum SwiftBacktrace {
  static func recognises(_ json: JSON) -> Bool {
    json["threads"]?.isArray == true
      && (json["kind"]?.string == "crashReport" || json["faultAddress"] != nil)
  }

  // MARK: JSON

  static func read(_ json: JSON) -> CrashReport {
    var report = CrashReport(.swiftBacktrace)
    report.wall = json["timestamp"]?.string.flatMap(WallClock.nanoseconds) ?? 0
    let threads = json["threads"]?.array ?? []
    report.threads = threads.prefix(4096).enumerated().map { place, json in
      var thread = CrashReport.Thread(number: place, name: json["name"]?.string ?? "")
      thread.isMain = isMain(place, thread.name)
      thread.frames = (json["frames"]?.array ?? []).prefix(1024).compactMap(frame)
      return thread
    }
    let description = json["description"]?.string ?? ""
    var failure = CrashReport.Failure(type: description, signal: signal(of: description))
    failure.address = json["faultAddress"]?.address
    failure.thread = threads.firstIndex { $0["crashed"]?.boolean == true }
    report.failure = failure
    report.process = report.threads.first { $0.isMain == true }?.name ?? ""
    markLibraries(&report.threads)
    return report
  }

  /// True if thread 0 is the main thread. After `dispatchMain()` the main thread has ended, and
  /// thread 0 is a Dispatch worker, which has a worker's name.
  private static func isMain(_ number: Int, _ name: String) -> Bool {
    number == 0 && !workers.contains(where: name.contains)
  }

  private static let workers = ["-qos", ".overcommit", "com.apple.", "NIO-", "Thread-", "-pool-"]

  private static func frame(_ json: JSON) -> CrashReport.Frame? {
    let kind = json["kind"]?.string ?? ""
    guard kind != "omittedFrames", kind != "truncated" else { return nil }
    var frame = CrashReport.Frame()
    frame.symbol = json.first("symbol", "description")?.string ?? ""
    frame.image = json["image"]?.string ?? ""
    frame.address = json["address"]?.address ?? 0
    frame.file = json["sourceLocation"]?["file"]?.string
    frame.line = json["sourceLocation"]?["line"]?.integer
    frame.isInlined = json["inlined"]?.boolean ?? false
    if json["system"]?.boolean == true || json["thunk"]?.boolean == true { frame.isOwn = false }
    return frame
  }

  /// The signal for a description.
  static func signal(of description: String) -> String {
    let words = [
      ("Illegal instruction", "SIGILL"), ("Bad pointer", "SIGSEGV"), ("Segmentation", "SIGSEGV"),
      ("Access to", "SIGSEGV"), ("Aborted", "SIGABRT"), ("System trap", "SIGTRAP"),
      ("Breakpoint", "SIGTRAP"), ("Floating point", "SIGFPE"), ("Bus error", "SIGBUS"),
      ("Quit", "SIGQUIT"), ("Bad system call", "SIGSYS"),
    ]
    return words.first { description.contains($0.0) }?.1 ?? "SIGILL"
  }

  // MARK: Text

  static let headers = ["Program crashed: ", "Swift runtime failure: ", "Backtracing from 0x"]
  static let jsonHeader = "\"kind\": \"crashReport\""

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    if line.contains(jsonHeader) { return readJSON(text) }
    // A frame of an inlined trap looks like a header.
    if frame(line.trimmed) != nil { return nil }
    // A terminal's progress message may precede the header on the same line.
    guard let place = headers.compactMap({ line.lastRange(of: $0) }).first else { return nil }
    let text = withoutPrefix(text)
    let isBanner = line.contains(headers[1]) && !line.contains(headers[0])
    let said = line[place.upperBound...].trimmedOf("* ").trimmed
    var description = said
    var failure = CrashReport.Failure(signal: signal(of: said))
    if let at = said.range(of: " at 0x") {
      failure.address = UInt64(hexadecimal: said[at.upperBound...].prefix(while: \.isHexDigit))
      description = String(said[..<at.lowerBound])
    }
    failure.type = isBanner ? "Swift runtime failure" : description
    // Some logs lack the header. The line above the header, “… Backtracing from 0x…”, has the signal number.
    if line.contains(headers[2]), !line.contains(headers[0]) {
      let number = line.range(of: "Signal ").flatMap {
        Int(line[$0.upperBound...].prefix(while: \.isNumber))
      }
      (failure.type, failure.signal) = ("", number.map(SignalName.of) ?? "SIGILL")
    }
    if isBanner { failure.texts.append(said) }
    failure.texts += message(before: text.middle, in: text)
    var stacks = Stacks()
    let end = stacks.read(text, from: text.middle + 1)
    guard !stacks.threads.isEmpty else { return nil }
    failure.thread = stacks.crashed ?? stacks.threads[0].number
    var report = CrashReport(.swiftBacktrace)
    report.threads = stacks.threads
    markLibraries(&report.threads)
    report.failure = failure
    // Thread 0 has the process name, unless it is a worker.
    report.process = stacks.threads.first { $0.isMain == true }?.name ?? ""
    return (report, end)
  }

  /// Marks functions of shared libraries for which the report gives no source, if it gives sources of
  /// the program.
  private static func markLibraries(_ threads: inout [CrashReport.Thread]) {
    for thread in threads.indices {
      let frames = threads[thread].frames
      let hasSources = frames.contains { $0.file != nil && !$0.image.hasPrefix("lib") }
      for place in frames.indices where hasSources && frames[place].file == nil {
        let image = frames[place].image
        if image.hasPrefix("lib"), image.contains(".so") {
          threads[thread].frames[place].isOwn = false
        }
      }
    }
  }

  /// The text without the prefix that a journal or a container added to each line. The line of the
  /// thread provides the prefix.
  private static func withoutPrefix(_ text: ConsoleText) -> ConsoleText {
    let following = text.middle..<min(text.middle + 24, text.lines.count)
    let thread = following.first { place in
      let line = text.lines[place].text
      return line.hasSuffix("crashed:") && line.contains(threadWord)
    }
    return thread.map { text.withoutPrefix(before: threadWord, in: $0) } ?? text
  }

  private static let threadWord = "Thread "

  /// Reads a report that was printed as JSON between other lines.
  private static func readJSON(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard let start = text.lines[text.middle].bytes.firstIndex(of: UInt8(ascii: "{")) else {
      return nil
    }
    text.search.lines += text.lines.count - text.middle
    let bytes = text.lines[text.middle...].map(\.bytes).joined(separator: [10])
    let skipped = start - text.lines[text.middle].bytes.startIndex
    let documents = JSONDocuments(Array(bytes.dropFirst(skipped)))
    guard case .json(let json, let range)? = documents.pieces.first, recognises(json) else {
      return nil
    }
    var report = read(json)
    report.unread = documents.unread
    var end = text.middle
    var left = skipped + range.count
    while end < text.lines.count, left > 0 {
      left -= text.lines[end].bytes.count + 1
      end += 1
    }
    return (report, end)
  }

  /// The program's last output before it died.
  private static func message(before line: Int, in text: ConsoleText) -> [String] {
    for place in stride(from: line - 1, through: max(0, line - 8), by: -1) {
      let said = text.lines[place].text
      if Messages.meaning(of: said) != nil { return [said.trimmed] }
      if let range = said.range(of: "atal error: ") ?? said.range(of: "Precondition failed: ") {
        let message = said[range.upperBound...].trimmed
        return message.isEmpty ? [] : [message]
      }
    }
    return []
  }
}

extension SwiftBacktrace {
  /// Collects the threads of a text line by line.
  struct Stacks {
    private(set) var threads: [CrashReport.Thread] = []
    private(set) var crashed: Int?
    private var last = -1

    /// Reads lines from `start`; returns the index of the line after the last thread.
    mutating func read(_ text: ConsoleText, from start: Int) -> Int {
      var end = start
      var missed = 0
      for place in start..<max(start, text.lines.count) {
        text.search.lines += 1
        let line = text.lines[place].text.trimmed
        if line == "Registers:" || line.hasPrefix("Images (") || line.hasPrefix("Images:") { break }
        if takeThread(line) || takeFrame(line) {
          end = place + 1
          missed = 0
        } else if SwiftBacktrace.headers.contains(where: line.contains) {
          break
        } else if !isContext(line) {
          missed += 1
          if missed > 8 { break }
        }
      }
      return end
    }

    /// True for source excerpts, rules and gaps between frames.
    private func isContext(_ line: String) -> Bool {
      line.isEmpty || line == "..." || line == "…" || line.contains("│") || line.hasPrefix("▲")
    }

    /// Parses `Thread 5 crashed:` and `Thread 0 "quarryd":`.
    private mutating func takeThread(_ line: String) -> Bool {
      guard line.hasPrefix("Thread "), line.hasSuffix(":"), threads.count < 4096 else {
        return false
      }
      let rest = line.dropFirst("Thread ".count)
      guard let number = Int(rest.prefix(while: \.isNumber)) else { return false }
      var thread = CrashReport.Thread(number: number)
      let quoted = rest.split(separator: "\"", omittingEmptySubsequences: false)
      if quoted.count >= 3 { thread.name = String(quoted[1]) }
      thread.isMain = SwiftBacktrace.isMain(number, thread.name)
      if rest.hasSuffix("crashed:") { crashed = crashed ?? number }
      threads.append(thread)
      last = -1
      return true
    }

    private mutating func takeFrame(_ line: String) -> Bool {
      guard !threads.isEmpty, let (number, frame) = SwiftBacktrace.frame(line),
        threads[threads.count - 1].frames.count < 1024, number > last || number == 0
      else { return false }
      last = number
      threads[threads.count - 1].frames.append(frame)
      return true
    }
  }

  /// Parses `1 [ra] [system] 0x1234 name(_:) + 12 in Image at /File.swift:3:7`.
  static func frame(_ line: String) -> (number: Int, frame: CrashReport.Frame)? {
    var rest = line[...]
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), digits.count <= 6 else { return nil }
    rest = rest.dropFirst(digits.count)
    guard rest.first == " " else { return nil }
    var frame = CrashReport.Frame()
    rest = rest.drop { $0 == " " }
    while rest.hasPrefix("["), let close = rest.firstIndex(of: "]") {
      let flag = rest[rest.index(after: rest.startIndex)..<close]
      if flag == "inlined" { frame.isInlined = true }
      if flag == "system" || flag == "thunk" { frame.isOwn = false }
      rest = rest[rest.index(after: close)...].drop { $0 == " " }
    }
    if rest.hasPrefix("0x") {
      let address = rest.prefix { $0 != " " }
      frame.address = UInt64(hexadecimal: address) ?? 0
      rest = rest.dropFirst(address.count).drop { $0 == " " }
    } else if !rest.contains(" in ") {
      return nil
    }
    place(rest, into: &frame)
    return (number, frame)
  }

  private static func place(_ text: Substring, into frame: inout CrashReport.Frame) {
    var text = text
    if let at = text.lastRange(of: " at "), text[at.upperBound...].contains("/") {
      let position = text[at.upperBound...].trimmed
      frame.file = position
      if let place = SourcePosition(position) { frame.take(place) }
      text = text[..<at.lowerBound]
    }
    if let at = text.lastRange(of: " in ") {
      let image = text[at.upperBound...].trimmed
      let before = text[..<at.lowerBound]
      let isClosure = before.hasPrefix("closure #") && !before.contains(" in ")
      if !image.contains("("), !image.contains(" "), !isClosure || before.contains(" + ") {
        frame.image = image
        text = before
      }
    }
    frame.symbol = text.withoutOffset.trimmed
  }
}
