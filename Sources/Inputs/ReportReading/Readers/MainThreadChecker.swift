import IncidentModel

/// Reads the Main Thread Checker's console output.
struct MainThreadChecker {
  static let header = "Main Thread Checker: UI API called on a background thread: "

  /// A printed violation with its thread.
  struct Printed {
    var violation: CrashReport.Violation
    var thread: CrashReport.Thread
    var processID: Int?
    /// The process name in the system log's prefix.
    var process: String?
    /// The first line after the violation.
    var end: Int
  }

  /// - Returns: nil if the line only mentions the checker.
  static func read(_ text: ConsoleText) -> Printed? {
    let line = text.lines[text.middle].text
    guard let place = line.range(of: header), !Messages.isLiteral(line) else { return nil }
    let api = Self.api(line[place.upperBound...])
    // Documentation of the checker has a placeholder instead of a name.
    guard !api.dropFirst(2).hasPrefix("<") else { return nil }
    let facts = CheckerFacts(text)
    let stack = ConsoleStack(text.lines, from: facts.end)
    let isMethod = api.hasPrefix("-[") || api.hasPrefix("+[")
    guard isMethod || !stack.frames.isEmpty else { return nil }
    // A quoted line is a mention of the checker, unless the checker's other lines follow.
    if stack.frames.isEmpty, facts.process == nil,
      Messages.isQuoted(at: place.lowerBound, in: line)
    {
      return nil
    }
    var thread = CrashReport.Thread(
      number: facts.thread ?? CrashReport.unknownThread, id: facts.thread ?? 0)
    thread.name = facts.name
    thread.queue = facts.queue
    thread.isMain = false
    thread.frames = stack.frames
    let violation = CrashReport.Violation(
      api: api, thread: thread.number, frames: stack.frames)
    return Printed(
      violation: violation, thread: thread, processID: facts.process,
      process: LogPrefix(line)?.process, end: max(stack.end, facts.end))
  }

  /// The method in `-[Class selector]`, without any text after it.
  private static func api(_ text: Substring) -> String {
    if let close = text.firstIndex(of: "]") { return String(text[...close]).trimmed }
    return text.trimmed
  }
}

/// The prefix of a system log line: `2024-10-01 08:00:00.1+0200 App[77:1203] [reports]`.
struct LogPrefix {
  var process: String
  var processID: Int
  var thread: Int?

  init?(_ line: some StringProtocol) {
    let line = String(line)
    for word in line[LogMargin.end(of: line)...].split(
      separator: " ", maxSplits: 6
    ).prefix(6)
    where word.last == "]" {
      guard let open = word.lastIndex(of: "["), open > word.startIndex else { continue }
      let numbers = word[word.index(after: open)...].dropLast().split(separator: ":")
      guard let id = numbers.first.flatMap({ Int($0) }) else { continue }
      process = String(word[..<open])
      processID = id
      thread = numbers.count > 1 ? Int(numbers[1]) ?? Int(numbers[1], radix: 16) : nil
      return
    }
    return nil
  }
}

extension CrashReport {
  /// Creates a report about the process that a log prefix names.
  init(_ format: ForeignFormat, by log: LogPrefix?) {
    self.init(format)
    process = log?.process ?? ""
    processID = log?.processID ?? 0
  }
}
