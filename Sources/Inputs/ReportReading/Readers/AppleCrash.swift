import IncidentModel

/// Reads Apple's `.crash` text reports, and reports of other tools in the same format.
struct AppleCrash {
  private var report = CrashReport(.appleCrash)
  private var failure = CrashReport.Failure()
  private var hasFailure = false
  private var section = Section.none
  private var names: [Int: (name: String, queue: String?)] = [:]
  private var backtrace: [CrashReport.Frame] = []
  private var isInBackground = false
  private var isMobile = false
  /// The system's reason for ending the process.
  private var termination = ""
  /// True within the description that continues the reason on further lines.
  private var isInReason = false

  private enum Section {
    case none, information, thrown, reported, images
    case thread(Int)
  }

  private static let marks = [
    "Incident Identifier:", "Process:", "Exception Type:", "Crashed Thread:",
    "Triggered by Thread:", "Binary Images:", "Date/Time:", "Report Version:", "Hardware Model:",
    "Last Exception Backtrace:",
  ]

  /// The lines without the margin that a mail or a page added.
  static func bare(_ lines: [Substring]) -> [Substring] {
    Margin.removed(from: lines, ofLineWith: marks)
  }

  /// True if a text looks like a `.crash` report.
  static func recognises(_ lines: [Substring]) -> Bool {
    let heads = Set(lines.compactMap { line in marks.first(where: line.hasPrefix) })
    if heads.count >= 2 { return true }
    let place = lines.firstIndex { line in
      let isThread =
        line.hasPrefix("Thread 0") && line.hasSuffix(":")
        || line.hasPrefix("Thread ") && line.contains(" Crashed:")
      return isThread && !line.contains("\"")
    }
    guard let place, place + 1 < lines.count else { return false }
    return FrameLine(lines[place + 1]) != nil
  }

  /// The reports in a text. A repeated first field starts a new report.
  static func split(_ lines: [Substring]) -> [ArraySlice<Substring>] {
    var starts: [Int] = []
    var seen: Set<String> = []
    for (place, line) in lines.enumerated() {
      for mark in ["Incident Identifier:", "Process:"] where line.hasPrefix(mark) {
        if seen.contains(mark) || starts.isEmpty {
          starts.append(place)
          seen = []
        }
        seen.insert(mark)
      }
    }
    if starts.isEmpty { return [lines[...]] }
    starts[0] = 0
    return starts.indices.map { index in
      lines[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : lines.count)]
    }
  }

  /// The lines above the first report of a text, and the lines below the last. A report ends at the
  /// first blank line after its images.
  static func surroundings(
    of lines: [Substring]
  ) -> (above: ArraySlice<Substring>, below: ArraySlice<Substring>) {
    let isMark = { (line: Substring) in marks.contains(where: line.hasPrefix) }
    let start = lines.firstIndex(where: isMark) ?? lines.endIndex
    let images = lines.lastIndex { $0.hasPrefix("Binary Images") }
    let end = images.flatMap { images in lines[images...].firstIndex { $0.trimmed.isEmpty } }
    return (lines[..<start], lines[(end ?? lines.endIndex)...])
  }

  /// The substring that locates a `.crash` report in a log.
  static let header = "Incident Identifier: "

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard text.lines[text.middle].text.contains(header) else { return nil }
    let text = text.withoutPrefix(before: header, in: text.middle)
    var lines: [Substring] = []
    var isInImages = false
    for line in text.lines[text.middle...].prefix(20_000) {
      let bare = line.text[...]
      let field = bare.trimmed
      if field.hasPrefix(header), !lines.isEmpty { break }
      // After the images, the report ends at the first blank line.
      if isInImages, field.isEmpty { break }
      isInImages = isInImages || field.hasPrefix("Binary Images:")
      lines.append(bare)
    }
    let count = lines.count
    lines = bare(lines)
    guard recognises(lines) else { return nil }
    return (read(lines[...], header: nil), text.middle + count)
  }

  static func read(_ lines: ArraySlice<Substring>, header: JSON?) -> CrashReport {
    var reader = AppleCrash()
    if let name = header?.first("app_name", "name")?.string { reader.report.process = name }
    for line in lines { reader.take(line) }
    return reader.finish()
  }

  // MARK: Lines

  private mutating func take(_ line: Substring) {
    if line.hasPrefix("Thread "), takeThread(line) { return }
    if takeSection(line) { return }
    switch section {
    case .thread(let number): add(Self.frame(line), to: number)
    case .thrown: Self.frame(line).map { failure.thrown.append($0) }
    case .reported: Self.frame(line).map { backtrace.append($0) }
    case .information: takeInformation(line)
    case .images: takeImage(line)
    case .none: takeField(line)
    }
  }

  private mutating func takeSection(_ line: Substring) -> Bool {
    if line.hasPrefix("Application Specific Information") {
      section = .information
    } else if line.hasPrefix("Application Specific Signatures") {
      section = .none
    } else if line.hasPrefix("Last Exception Backtrace") {
      section = .thrown
    } else if line.hasPrefix("Application Specific Backtrace") {
      section = .reported
    } else if line.hasPrefix("Binary Images") {
      section = .images
    } else if case .information = section, isField(line) {
      section = .none
      return false
    } else {
      return line.trimmed.isEmpty
    }
    return true
  }

  /// True if a line is a field. Such a line ends the application-specific information even without
  /// a blank line before the field.
  private func isField(_ line: Substring) -> Bool {
    [
      "Kernel Triage:", "Model:", "Triggered by Thread:", "Crashed Thread:",
      "External Modification",
    ]
    .contains(where: line.hasPrefix)
  }

  private static func frame(_ line: Substring) -> CrashReport.Frame? {
    (FrameLine(line) ?? FrameLine(abbreviated: String(line)))?.frame
  }

  /// Parses an image: `0x104a34000 - 0x104a4bfff +Kiln arm64 <0a1b>
  /// /Applications/Kiln.app/Contents/MacOS/Kiln`.
  private mutating func takeImage(_ line: Substring) {
    guard let end = line.range(of: "> /"), paths.count < 8192 else { return }
    let path = "/" + line[end.upperBound...].trimmed
    if let name = path.split(separator: "/").last { paths[String(name)] = path }
  }

  /// The paths of the images by name.
  private var paths: [String: String] = [:]

  private mutating func takeInformation(_ line: Substring) {
    let text = line.trimmed
    guard !text.isEmpty else { return }
    // Line wrapping may split the text of an exception.
    if let last = failure.texts.last, last.hasPrefix(UncaughtException.beginning),
      !UncaughtException.isComplete(last), last.utf8.count < 4096
    {
      failure.texts[failure.texts.count - 1] = "\(last) \(text)"
    } else if failure.texts.count < 32 {
      failure.texts.append(text)
    }
  }

  private mutating func takeField(_ line: Substring) {
    if isInReason || line.hasPrefix("<RBSTerminateContext") {
      termination += "\(line.trimmed) "
      isInReason = !line.trimmed.isEmpty && line.trimmed.last != ">"
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...].trimmed
    switch line[..<colon] {
    case "Process":
      report.process = value.range(of: " [").map { String(value[..<$0.lowerBound]) } ?? value
      report.processID = value.split(separator: "[").last.flatMap { Int($0.dropLast()) } ?? 0
    case "Date/Time": report.wall = WallClock.nanoseconds(value) ?? 0
    case "Role": isInBackground = value.hasPrefix("Background")
    case "OS Version": isMobile = AppleSystem.isMobile(value)
    case "Exception Type": takeException(value)
    case "Exception Subtype": failure.texts.append(value)
    case "Exception Message", "Exception Reason": failure.texts.append(value)
    case "Crashed Thread", "Triggered by Thread": takeCrashed(value)
    case "Exception Codes", "Termination Reason", "Termination Description", "Termination":
      termination += "\(value) "
    default: break
    }
  }

  private mutating func takeException(_ value: String) {
    hasFailure = true
    guard let open = value.firstIndex(of: "("), value.hasSuffix(")") else {
      failure.type = value
      return
    }
    failure.type = value[..<open].trimmed
    failure.signal = String(value[value.index(after: open)...].dropLast())
  }

  private mutating func takeCrashed(_ value: String) {
    let digits = value.prefix(while: \.isNumber)
    guard let number = Int(digits) else { return }
    hasFailure = true
    failure.thread = number
    if let place = value.range(of: "Dispatch queue: ") ?? value.range(of: "Dispatch Queue: ") {
      names[number] = ("", value[place.upperBound...].trimmed)
    }
  }

  /// Parses the first line of a thread: `Thread 2:`, `Thread 2 Crashed:: name  Dispatch queue: q`,
  /// `Thread 2 name:  …`.
  private mutating func takeThread(_ line: Substring) -> Bool {
    let rest = line.dropFirst("Thread ".count)
    let digits = rest.prefix(while: \.isNumber)
    guard let number = Int(digits) else { return false }
    var tail = rest.dropFirst(digits.count)
    if tail.contains(" crashed with ") || tail.contains(" instruction stream") {
      section = .none
      return true
    }
    let isName = tail.hasPrefix(" name:")
    if tail.hasPrefix(" Crashed") {
      hasFailure = true
      failure.thread = failure.thread ?? number
      tail = tail.dropFirst(" Crashed".count)
    } else if isName {
      tail = tail.dropFirst(" name".count)
    }
    guard tail.first == ":" else { return false }
    takeName(tail.drop { $0 == ":" }.trimmed, of: number)
    if !isName { begin(number) }
    return true
  }

  private mutating func takeName(_ text: String, of number: Int) {
    guard !text.isEmpty else { return }
    if let place = text.range(of: "Dispatch queue: ") ?? text.range(of: "Dispatch Queue: ") {
      names[number] = (text[..<place.lowerBound].trimmed, text[place.upperBound...].trimmed)
    } else {
      names[number] = (text, names[number]?.queue)
    }
  }

  private mutating func begin(_ number: Int) {
    section = .thread(number)
    guard report.threads.count < 4096, report.thread(number) == nil else { return }
    report.threads.append(CrashReport.Thread(number: number))
  }

  private mutating func add(_ frame: CrashReport.Frame?, to number: Int) {
    guard let frame, let place = report.threads.lastIndex(where: { $0.number == number }),
      report.threads[place].frames.count < 1024
    else { return }
    report.threads[place].frames.append(frame)
  }

  // MARK: The end

  private func addPath(to frame: inout CrashReport.Frame) {
    if frame.path.isEmpty, let path = paths[frame.image] { frame.path = path }
    // Reports of macOS before 11 print a framework's bundle identifier instead of its name.
    if frame.image.hasPrefix("com.apple."), let name = frame.image.split(separator: ".").last {
      frame.image = String(name)
    }
  }

  private mutating func finish() -> CrashReport {
    for place in report.threads.indices {
      let number = report.threads[place].number
      if let named = names[number] {
        report.threads[place].name = named.name
        report.threads[place].queue = named.queue
      }
      let queue = report.threads[place].queue
      report.threads[place].isMain = MainThread.isMain(number: number, queue: queue)
    }
    if failure.thrown.isEmpty { failure.thrown = backtrace }
    for place in failure.thrown.indices { addPath(to: &failure.thrown[place]) }
    for thread in report.threads.indices {
      for place in report.threads[thread].frames.indices {
        addPath(to: &report.threads[thread].frames[place])
      }
    }
    failure.sortTexts()
    if hasFailure { report.failure = failure }
    if let number = failure.thread, report.thread(number) == nil, report.threads.count < 4096 {
      let queue = names[number]?.queue
      report.threads.append(
        CrashReport.Thread(
          number: number, queue: queue, isMain: MainThread.isMain(number: number, queue: queue)))
    }
    if !report.process.isEmpty { report.ownImages = [report.process] }
    report.takeTermination(termination)
    if isInBackground, isMobile { report.isInBackground = true }
    return report
  }
}

/// Apple's operating systems, by their names in reports.
enum AppleSystem {
  /// True if the system sends applications to the background.
  static func isMobile(_ name: String) -> Bool {
    ["iPhone OS", "iOS", "iPadOS", "tvOS", "Apple TVOS", "watchOS", "xrOS", "visionOS"].contains {
      name.hasPrefix($0)
    }
  }
}
