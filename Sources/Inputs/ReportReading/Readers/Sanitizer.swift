import IncidentModel

/// Reads the reports of the address, leak and undefined behaviour sanitizers. The reports name no
/// queues, but their findings are faults.
enum Sanitizer {
  private static let names = ["AddressSanitizer", "LeakSanitizer", "UndefinedBehaviorSanitizer"]
  /// Headers of reports that end the process, such as a leak report at exit.
  private static let errors = names.map { "ERROR: \($0): " }
  /// The header of a report after which the process continues by default.
  private static let runtimeError = ": runtime error: "

  static let headers = errors + [runtimeError]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    for (name, header) in zip(names, errors) {
      guard let place = line.range(of: header), line[..<place.lowerBound].hasSuffix("==") else {
        continue
      }
      return error(
        of: name, line[place.upperBound...],
        process: line[..<place.lowerBound].split(separator: "=").last.flatMap { Int($0) } ?? 0,
        text.withoutPrefix(before: "==", in: text.middle))
    }
    return undefinedBehaviour(text)
  }

  // MARK: Errors

  private static func error(
    of tool: String, _ what: Substring, process: Int, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int) {
    var frames: [CrashReport.Frame] = []
    var thread = thread(in: what)
    var end = text.middle + 1
    var isFirst = true
    for place in following(text) {
      text.search.lines += 1
      let line = text.lines[place].text.trimmed
      if errors.contains(where: line.contains) { break }
      if line.contains("ABORTING") || line.hasPrefix("SUMMARY: ") { end = place + 1 }
      if line.contains("ABORTING") { break }
      if let frame = ThreadSanitizer.frame(line) {
        if isFirst { frames.append(frame) }
        end = place + 1
      } else if !frames.isEmpty {
        isFirst = false
      } else {
        thread = thread ?? self.thread(in: line[...])
      }
    }
    let kind = kind(what)
    var failure = CrashReport.Failure(type: "\(tool): \(kind)")
    failure.isFatal = tool != "LeakSanitizer"
    if failure.isFatal { failure.signal = signal(kind) }
    // Only the address sanitizer numbers threads, beginning with 0 for the main thread.
    let isCounted = tool == "AddressSanitizer"
    let isMain = thread.flatMap { isCounted ? $0 == 0 : $0 == process ? true : nil }
    return (report(failure, process, thread, isMain: isMain, frames), end)
  }

  private static func report(
    _ failure: CrashReport.Failure, _ process: Int, _ thread: Int?, isMain: Bool?,
    _ frames: [CrashReport.Frame]
  ) -> CrashReport {
    var report = CrashReport(.addressSanitizer)
    report.processID = process
    let number = thread ?? CrashReport.unknownThread
    report.threads = [CrashReport.Thread(number: number, isMain: isMain, frames: frames)]
    report.failure = failure
    report.failure?.thread = number
    return report
  }

  private static func following(_ text: ConsoleText) -> Range<Int> {
    let first = text.middle + 1
    return first..<max(first, min(text.lines.count, text.middle + 400))
  }

  /// The kind of an error: `attempting double-free` for `attempting double-free on 0x6030… in
  /// thread T3:`.
  private static func kind(_ what: Substring) -> String {
    var kind = what
    for end in [" 0x", " (0x", ": ", " in thread T", " (thread T", " (pc "] {
      if let place = kind.range(of: end) { kind = kind[..<place.lowerBound] }
    }
    for end in [" on unknown address", " on address", " on", ":"] where kind.hasSuffix(end) {
      kind = kind.dropLast(end.count)
    }
    return String(kind).trimmed
  }

  private static func signal(_ kind: String) -> String {
    ["SEGV", "BUS", "FPE", "ILL", "TRAP"].contains(kind) ? "SIG" + kind : "SIGABRT"
  }

  /// The thread number in `READ of size 8 at 0x6030… thread T5`, `in thread T3:` and `(pc 0x… sp
  /// 0x… T0)`.
  private static func thread(in line: Substring) -> Int? {
    for mark in ["thread T", " T"] {
      guard let place = line.lastRange(of: mark) else { continue }
      let digits = line[place.upperBound...].prefix(while: \.isNumber)
      let isEnd = line[place.upperBound...].dropFirst(digits.count).first.map { ":) ".contains($0) }
      if let number = Int(digits), isEnd ?? true { return number }
    }
    return nil
  }

  // MARK: Undefined behaviour

  /// Parses `oven.c:8:55: runtime error: signed integer overflow: …` and the stack below it, if
  /// any.
  private static func undefinedBehaviour(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let header = line.range(of: runtimeError),
      let place = line[..<header.lowerBound].split(separator: " ").last
    else { return nil }
    let parts = place.split(separator: ":")
    guard parts.count >= 3, parts.suffix(2).allSatisfy({ Int($0) != nil }) else { return nil }
    let text = text.withoutPrefix(before: String(place), in: text.middle)
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    for at in following(text) {
      let line = text.lines[at].text.trimmed
      if line.hasPrefix("SUMMARY: UndefinedBehaviorSanitizer: ") {
        end = at + 1
        break
      }
      if line.contains(runtimeError) || errors.contains(where: line.contains) { break }
      if let frame = ThreadSanitizer.frame(line) {
        frames.append(frame)
        end = at + 1
      } else if frames.isEmpty ? at > text.middle + notes : !line.isEmpty {
        break
      }
    }
    var failure = CrashReport.Failure(type: "UndefinedBehaviorSanitizer")
    failure.texts = ["\(String(line[header.upperBound...]).trimmed) (\(place))"]
    failure.isFatal = false
    return (report(failure, 0, nil, isMain: nil, frames), end)
  }

  /// The maximum number of lines that describe a pointer's target before the stack.
  private static let notes = 4
}
