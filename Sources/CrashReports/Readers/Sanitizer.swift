import IncidentModel

/// Reads what the sanitizers of addresses and of undefined behaviour print. They tell nothing of queues,
/// but what they found is a crash all the same.
enum Sanitizer {
  static let headers = ["ERROR: AddressSanitizer: ", "ERROR: LeakSanitizer: "]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = headers.compactMap({ line.range(of: $0) }).first,
      line[..<place.lowerBound].hasSuffix("==")
    else { return nil }
    let text = text.withoutPrefix(before: "==", in: text.middle)
    let what = line[place.upperBound...].prefix { $0 != " " }
    var report = CrashReport(.addressSanitizer)
    let number = line[..<place.lowerBound].split(separator: "=").last.flatMap { Int($0) }
    report.processID = number ?? 0
    var thread = CrashReport.Thread(number: 0)
    var end = text.middle + 1
    var isFirst = true
    for place in (text.middle + 1)..<max(text.middle + 1, min(text.lines.count, text.middle + 400))
    {
      let line = text.lines[place].text.trimmed
      if headers.contains(where: line.contains) { break }
      if line.contains("ABORTING") || line.hasPrefix("SUMMARY: ") { end = place + 1 }
      if line.contains("ABORTING") { break }
      if let frame = ThreadSanitizer.frame(line) {
        if isFirst { thread.frames.append(frame) }
        end = place + 1
      } else if !thread.frames.isEmpty {
        isFirst = false
      } else if let name = self.thread(line) {
        thread.number = name
      }
    }
    var failure = CrashReport.Failure(
      type: "AddressSanitizer: \(what.trimmed)", signal: "SIGABRT", thread: thread.number)
    failure.isFatal = !line.contains("LeakSanitizer")
    thread.isMain = thread.number == 0
    report.threads = [thread]
    report.failure = failure
    return (report, end)
  }

  /// `READ of size 8 at 0x6030… thread T5`.
  private static func thread(_ line: String) -> Int? {
    line.range(of: " thread T").flatMap { Int(line[$0.upperBound...].prefix(while: \.isNumber)) }
  }
}
