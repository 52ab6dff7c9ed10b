import IncidentModel

/// Reads Thread Sanitizer's reports. A race is no proof of main-queue work off the main queue.
enum ThreadSanitizer {
  static let header = "WARNING: ThreadSanitizer: "

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = line.range(of: header) else { return nil }
    let text = text.withoutPrefix(before: header, in: text.middle)
    let what = line[place.upperBound...]
    let kind = what.range(of: " (pid=").map { what[..<$0.lowerBound] } ?? what
    var report = CrashReport(.threadSanitizer)
    report.processID =
      what.range(of: "(pid=").flatMap {
        Int(what[$0.upperBound...].prefix(while: \.isNumber))
      } ?? 0
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    var isFirst = true
    for place in (text.middle + 1)..<max(text.middle + 1, min(text.lines.count, text.middle + 400))
    {
      let line = text.lines[place].text.trimmed
      if line.hasPrefix("====") || line.contains(header) { break }
      if let frame = frame(line) {
        if isFirst { frames.append(frame) }
        end = place + 1
      } else if line.isEmpty, !frames.isEmpty {
        isFirst = false
      } else if line.hasPrefix("SUMMARY: ThreadSanitizer") {
        end = place + 1
        break
      }
    }
    var failure = CrashReport.Failure(type: "ThreadSanitizer: \(kind.trimmed)", thread: 0)
    failure.isFatal = false
    report.threads = [CrashReport.Thread(number: 0, frames: frames)]
    report.failure = failure
    return (report, end)
  }

  /// `#0 name() /home/File.swift:3:7 (image:x86_64+0x1234)`.
  static func frame(_ line: String) -> CrashReport.Frame? {
    guard line.hasPrefix("#") else { return nil }
    let rest = line.dropFirst()
    let digits = rest.prefix(while: \.isNumber)
    guard Int(digits) != nil, rest.dropFirst(digits.count).first == " " else { return nil }
    var text = rest.dropFirst(digits.count).trimmed[...]
    var frame = CrashReport.Frame()
    // The address sanitizer puts the address first.
    if text.hasPrefix("0x"), let word = text.range(of: " in ") {
      frame.address = UInt64(hexadecimal: text[..<word.lowerBound]) ?? 0
      text = text[word.upperBound...]
    }
    if text.hasSuffix(")"), let build = text.lastRange(of: " (BuildId: ") {
      text = text[..<build.lowerBound]
    }
    if text.hasSuffix(")"), let open = text.lastRange(of: " ("),
      text[open.upperBound...].contains("+0x")
    {
      let image = text[open.upperBound...].prefix { $0 != "+" && $0 != ":" }
      frame.path = String(image)
      frame.image = image.split(separator: "/").last.map(String.init) ?? ""
      text = text[..<open.lowerBound]
    }
    if let space = text.lastIndex(of: " ") {
      let parts = text[text.index(after: space)...].split(separator: ":")
      if parts.count >= 2, let line = Int(parts[1]) {
        (frame.file, frame.line) = (String(parts[0]), line)
        text = text[..<space]
      } else if parts.count == 1, isFile(parts[0]) {
        frame.file = String(parts[0])
        text = text[..<space]
      }
    }
    frame.symbol = text.trimmed
    // The sanitizers' own, such as the free that they put in the place of the system's.
    if let file = frame.file, file.contains("compiler-rt/lib/") || file.contains("libsanitizer/") {
      frame.isOwn = false
    }
    return frame
  }

  /// Whether a word is a source file, whose line is not known: `/src/oven.c`, `queue.c`.
  private static func isFile(_ word: Substring) -> Bool {
    word.hasPrefix("/")
      || [".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".swift", ".S"].contains(where: word.hasSuffix)
  }
}
