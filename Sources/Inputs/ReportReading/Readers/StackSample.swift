import IncidentModel

/// Reads the call trees of macOS' `sample` and `spindump`, and Apple's hang reports.
struct StackSample {
  static let needles = [
    "Analysis of sampling ", "Data Source: ", "Heaviest stack for the main thread", "Call graph:",
    ": com.apple.main-thread  (serial)", "DispatchQueue \"com.apple.main-thread\"",
    " samples (1-",
  ]
  private static let heads = needles[..<4]
  private static let spindumps = [needles[1], needles[2], needles[5], needles[6]]

  /// True if a text is a sample or a hang report. A crash report has the same first fields, but
  /// none of the headers.
  static func recognises(_ lines: [Substring]) -> Bool {
    lines.contains { line in
      heads.contains(where: line.trimmedOf(margin).hasPrefix)
        || needles[4...].contains(where: line.contains)
    }
  }

  private init(report: CrashReport) { self.report = report }

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = needles.first(where: line.contains) else { return nil }
    let isHead = heads.contains(mark)
    let text = isHead ? text.withoutPrefix(before: mark, in: text.middle) : text
    guard !isHead || text.lines[text.middle].text.trimmedOf(margin).hasPrefix(mark) else {
      return nil
    }
    let isSpindump = spindumps.contains(mark)
    var reader = StackSample(report: CrashReport(isSpindump ? .spindump : .sample))
    reader.takeHead(above: text.middle, in: text)
    let end = reader.read(text)
    return reader.finish().map { ($0, end) }
  }

  // MARK: Lines

  private static let margin = " \t>|/*#"
  private var report: CrashReport
  private var hang = CrashReport.Hang(thread: 0, isTold: false)
  private var branches: [SampleTree.Branch] = []
  private var thread: CrashReport.Thread?
  private var samples = 0
  private static let mostSamples = 1 << 30
  private var isOver = false
  private var milliseconds = 1
  /// True while the lines are the main thread's heaviest stack: a list, outermost frame first.
  private var isHeaviest = false
  private var heaviest: CrashReport.Thread?

  /// Reads the fields about the process, which are some lines above.
  private mutating func takeHead(above line: Int, in text: ConsoleText) {
    for line in text.lines[max(0, line - 30)..<line] { takeField(line.text.trimmedOf(Self.margin)) }
  }

  /// The maximum number of lines without a frame; the first line of a thread counts as several. The
  /// limit bounds the work, because the search starts again at every such line.
  private static let mostBarren = 120
  private var barren = 0

  private mutating func read(_ text: ConsoleText) -> Int {
    var end = text.middle + 1
    var missed = 0
    for place in text.middle..<min(text.lines.count, text.middle + 60_000) where missed <= 40 {
      barren += isOver ? 0 : 1
      if barren > Self.mostBarren { break }
      // Three parsers examine each line.
      text.search.lines += 3
      let line = text.lines[place].text
      let bare = line.trimmedOf(Self.margin)
      if bare.isEmpty { continue }
      if place > text.middle, Self.heads[..<2].contains(where: bare.hasPrefix) { break }
      if bare.hasPrefix("Total number in stack") { break }
      // A later `Process:` line starts another process, which is not the subject of the report.
      let isNext = bare.hasPrefix("Process: ") && !report.threads.isEmpty
      if isNext || bare.hasPrefix("Binary Images:") { isOver = true }
      let isTaken =
        isOver ? isPart(line, bare) : takeThread(bare) || takeFrame(line) || takeField(bare)
      if isTaken {
        end = place + 1
        missed = 0
      } else {
        missed += 1
      }
    }
    closeThread()
    return end
  }

  /// True if a line is part of the description of the process.
  private func isPart(_ line: String, _ bare: String) -> Bool {
    bare.hasPrefix("0x") || SampleTree.Branch(line) != nil || bare.contains(" samples (")
      || bare.prefix(20).contains(":")
  }

  @discardableResult
  private mutating func takeField(_ line: String) -> Bool {
    if line.hasPrefix("Analysis of sampling "), let open = line.range(of: " (pid ") {
      report.process = String(line[..<open.lowerBound].dropFirst("Analysis of sampling ".count))
      report.processID = Int(line[open.upperBound...].prefix(while: \.isNumber)) ?? 0
      if let every = line.range(of: " every ") {
        milliseconds = Int(line[every.upperBound...].prefix(while: \.isNumber)) ?? 1
      }
      return true
    }
    if line.hasPrefix("Heaviest stack for the main thread") {
      isHeaviest = true
      return true
    }
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let value = line[line.index(after: colon)...].trimmed
    switch line[..<colon] {
    case "Data Source", "Call graph": break
    case "Process":
      report.process = value.range(of: " [").map { String(value[..<$0.lowerBound]) } ?? value
      report.processID =
        value.lastRange(of: "[").flatMap {
          Int(value[$0.upperBound...].prefix(while: \.isNumber))
        } ?? report.processID
    case "Command": report.process = value
    case "PID": report.processID = Int(value) ?? 0
    case "Date/Time": report.wall = WallClock.nanoseconds(value) ?? 0
    case "Event": hang.isTold = hang.isTold || value.hasPrefix("hang")
    case "Note": hang.isTold = hang.isTold || value.hasPrefix("Unresponsive")
    case "Duration": hang.lasted = Self.duration(value)
    default: return false
    }
    return true
  }

  /// Parses a duration: `1.30s (process was unresponsive for 82 seconds before sampling)`.
  private static func duration(_ text: String) -> UInt64 {
    let start = text.range(of: "unresponsive for ")?.upperBound ?? text.startIndex
    let seconds = Double(text[start...].prefix { $0.isNumber || $0 == "." }) ?? 0
    return WallClock.nanoseconds(seconds: seconds)
  }

  /// Parses the first line of a thread: `2569 Thread_1447670   DispatchQueue_1:
  /// com.apple.main-thread  (serial)`, `Thread 0x1e3a    DispatchQueue "com.apple.main-thread"(1)
  /// 1001 samples (1-1001)    priority 46`.
  private mutating func takeThread(_ line: String) -> Bool {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(digits.count).drop { " +!:|".contains($0) }
    if rest.hasPrefix("Thread_"), let count = Int(digits) {
      let id = rest.dropFirst("Thread_".count)
      begin(Int(id.prefix(while: \.isNumber)) ?? 0)
      samples = min(count, Self.mostSamples)
      if let queue = rest.range(of: "DispatchQueue_"),
        let name = rest[queue.upperBound...].range(of: ": ")
      {
        takeQueue(
          rest[name.upperBound...].range(of: "  ").map { rest[name.upperBound..<$0.lowerBound] }
            ?? rest[name.upperBound...])
      } else if let name = rest.range(of: ": ") {
        thread?.name = rest[name.upperBound...].trimmed
      }
      return true
    }
    guard digits.isEmpty, line.hasPrefix("Thread "), line.contains(" samples (") else {
      return false
    }
    begin(
      UInt64(hexadecimal: line.dropFirst(7).prefix { $0 != " " }).flatMap { Int(exactly: $0) } ?? 0)
    let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
    for (place, part) in quoted.enumerated() where place + 1 < quoted.count {
      if part.hasSuffix("DispatchQueue ") { takeQueue(quoted[place + 1]) }
      if part.hasSuffix("Thread name ") { thread?.name = String(quoted[place + 1]) }
    }
    if thread?.queue == nil, line.contains("DispatchQueue 1 ") {
      takeQueue("com.apple.main-thread")
    }
    let words = line.split(separator: " ")
    let told = words.firstIndex(of: "samples").flatMap { $0 > 0 ? Int(words[$0 - 1]) : nil }
    samples = min(told ?? 0, Self.mostSamples)
    return true
  }

  private mutating func takeQueue(_ name: Substring) {
    thread?.queue = name.trimmed
    thread?.isMain = MainThread.isMain(queue: name.trimmed)
  }

  private mutating func begin(_ id: Int) {
    closeThread()
    isHeaviest = false
    barren += 12
    guard report.threads.count < 4096 else { return }
    thread = CrashReport.Thread(number: report.threads.count, id: id)
  }

  /// Takes a frame with its sample count: `+   2569 main  (in Kiln) + 52  [0x1004]`.
  private mutating func takeFrame(_ line: String) -> Bool {
    guard thread != nil || isHeaviest, let branch = SampleTree.Branch(line) else { return false }
    barren = 0
    if thread == nil {
      thread = CrashReport.Thread(number: 0, queue: "com.apple.main-thread", isMain: true)
    }
    if let id = branch.waitsFor { waits[thread?.number ?? 0] = id }
    // Skip the kernel's functions.
    if !branch.isKernel, branches.count < 20_000 { branches.append(branch) }
    return true
  }

  /// The owner, by thread id, of the lock that each thread waits for.
  private var waits: [Int: Int] = [:]

  private mutating func closeThread() {
    defer {
      branches = []
      thread = nil
    }
    guard var thread else { return }
    let path = isHeaviest ? branches : SampleTree.heaviest(branches)
    thread.frames = path.reversed().prefix(1024).map(\.frame)
    if isHeaviest {
      heaviest = thread
      isHeaviest = false
      return
    }
    nameImages(&thread.frames)
    let isSame = (path.last?.count ?? 0) * 10 >= samples * 9
    if thread.isMain == true, main == nil {
      main = thread.number
      isWhole = isSame
      if hang.lasted == 0 {
        hang.lasted = WallClock.nanoseconds(seconds: Double(samples) * Double(milliseconds) / 1000)
      }
    }
    report.threads.append(thread)
  }

  /// Assigns the process name as image to functions that have no system name, because old systems
  /// print no images.
  private func nameImages(_ frames: inout [CrashReport.Frame]) {
    guard !report.process.isEmpty, frames.allSatisfy(\.image.isEmpty) else { return }
    for place in frames.indices {
      let isSystem = ForeignCode.isSystem(function: frames[place].symbol)
      frames[place].isOwn = !isSystem
      if !isSystem { frames[place].image = report.process }
    }
  }

  private var main: Int?
  /// True if the main thread was at one place in nearly all samples.
  private var isWhole = false

  private mutating func finish() -> CrashReport? {
    if main == nil, let heaviest, !heaviest.frames.isEmpty {
      var thread = heaviest
      thread.number = report.threads.count
      report.threads.append(thread)
      main = thread.number
      isWhole = true
    }
    guard report.threads.contains(where: { !$0.frames.isEmpty }) else { return nil }
    for (number, id) in waits {
      let holder = report.threads.first { $0.id == id }?.number
      guard report.threads.indices.contains(number), let holder, holder != number else { continue }
      report.threads[number].waitsFor = holder
    }
    if !report.process.isEmpty { report.ownImages = [report.process] }
    if let main, hang.isTold || isWhole {
      hang.thread = main
      hang.isWhole = isWhole && report.format == .sample
      report.hang = hang
    }
    return report
  }
}
