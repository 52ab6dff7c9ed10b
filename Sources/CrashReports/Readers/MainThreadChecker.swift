import IncidentModel

/// Reads what the Main Thread Checker prints to a console.
struct MainThreadChecker {
  static let header = "Main Thread Checker: UI API called on a background thread: "

  /// A violation as it was printed, with its thread.
  struct Printed {
    var violation: CrashReport.Violation
    var thread: CrashReport.Thread
    var processID: Int?
    /// The name that the system's log puts before its lines.
    var process: String?
    /// The first line after it.
    var end: Int
  }

  /// - Returns: nil where the line only mentions the checker.
  static func read(_ text: ConsoleText) -> Printed? {
    let line = text.lines[text.middle].text
    guard let place = line.range(of: header) else { return nil }
    let api = Self.api(line[place.upperBound...])
    let facts = Facts(text)
    let stack = ConsoleStack(text.lines, from: facts.end)
    let isMethod = api.hasPrefix("-[") || api.hasPrefix("+[")
    guard isMethod || !stack.frames.isEmpty else { return nil }
    var thread = CrashReport.Thread(number: facts.thread ?? 0, id: facts.thread ?? 0)
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

  /// `-[Class selector]`, whatever stands after it.
  private static func api(_ text: Substring) -> String {
    if let close = text.firstIndex(of: "]") { return String(text[...close]).trimmed }
    return text.trimmed
  }

  /// What the line with the process and the thread says; it may stand before the header.
  private struct Facts {
    var process: Int?
    var thread: Int?
    var name = ""
    var queue: String?
    /// The first line that may hold a frame.
    var end: Int

    init(_ text: ConsoleText) {
      end = text.middle + 1
      let after = (text.middle + 1)..<min(text.middle + 5, text.lines.count)
      let before = max(0, text.middle - 2)..<text.middle
      let isFacts = { (place: Int) in
        text.lines[place].text.contains("PID: ") && text.lines[place].text.contains("TID: ")
      }
      let stop = after.first { FrameLine(text.lines[$0].text) != nil } ?? after.upperBound
      let place = (after.lowerBound..<max(after.lowerBound, stop)).first(where: isFacts)
      guard let line = place ?? before.last(where: isFacts) else { return }
      if let place { end = place + 1 }
      let fields = Fields(text.lines[line].text)
      process = fields["PID: "].flatMap { Int($0.prefix(while: \.isNumber)) }
      thread = fields["TID: "].flatMap { Int($0.prefix(while: \.isNumber)) }
      name = fields["Thread name: "].flatMap { $0 == "(none)" ? nil : $0 } ?? ""
      queue = fields["Queue name: "]
    }
  }

  /// The values of a line of `Key: value, Key: value`; values may hold commas.
  private struct Fields {
    private static let keys = ["PID: ", "TID: ", "Thread name: ", "Queue name: ", "QoS: "]
    private let text: String

    init(_ text: String) { self.text = text }

    subscript(key: String) -> String? {
      guard let start = text.range(of: key)?.upperBound else { return nil }
      let rest = text[start...]
      let ends = Self.keys.compactMap { rest.range(of: ", " + $0)?.lowerBound }
      let value = rest[..<(ends.min() ?? rest.endIndex)].trimmed
      return value.isEmpty ? nil : value
    }
  }
}

/// What the system's log puts before a line: `2024-10-01 08:00:00.1+0200 App[77:1203] [reports]`.
struct LogPrefix {
  var process: String
  var processID: Int
  var thread: Int?

  init?(_ line: some StringProtocol) {
    for word in line.split(separator: " ").prefix(6) where word.last == "]" {
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
