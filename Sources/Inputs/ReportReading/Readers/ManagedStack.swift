import IncidentModel

/// Reads the exceptions of .NET, Mono and Unity that claim where their code belongs, with the stack below.
enum ManagedStack {
  /// Words of such claims that name no thread.
  static let needles = ["the thread it was created on"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let following = text.lines[(text.middle + 1)...].prefix(6)
    guard following.contains(where: { frame($0) != nil }) else { return nil }
    let line = text.lines[text.middle].text
    let start = LogMargin.end(of: line)
    let said = said(line[start...])
    guard Messages.meaning(ofReason: said.text) != nil, !line.contains("\":"),
      !Messages.isQuoted(at: start, in: line)
    else { return nil }
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    var missed = 0
    for place in end..<max(end, min(text.lines.count, end + 300)) {
      text.search.lines += 1
      if let frame = frame(text.lines[place]) {
        frames.append(frame)
        end = place + 1
        missed = 0
      } else if !text.lines[place].bytes.allSatisfy(\.isSpace) {
        missed += 1
        // Unity explains itself before the stack.
        if missed > (frames.isEmpty ? 4 : 1) { break }
      }
    }
    guard frames.contains(where: { $0.isOwn == false }) || said.type != nil, !frames.isEmpty else {
      return nil
    }
    var report = CrashReport(.managedStack)
    let log = LogPrefix(line)
    report.process = log?.process ?? ""
    report.processID = log?.processID ?? 0
    var failure = CrashReport.Failure(type: said.type ?? "Exception", texts: [said.text])
    failure.thrown = frames
    if let number = log?.thread {
      failure.thread = number
      report.threads = [CrashReport.Thread(number: number, id: number, frames: frames)]
    }
    report.failure = failure
    return (report, end)
  }

  /// The exception's type and its message: `UnityEngine.UnityException: get_transform can only be …`,
  /// or the message alone.
  private static func said(_ text: Substring) -> (type: String?, text: String) {
    var rest = text
    var type: String?
    while let colon = rest.range(of: ": ") {
      let word = rest[..<colon.lowerBound].split(separator: " ").last ?? ""
      guard word.hasSuffix("Exception") || word.hasSuffix("Error") else { break }
      type = type ?? String(word)
      rest = rest[colon.upperBound...]
    }
    return (type, rest.trimmed)
  }

  /// `at A.B.C (System.Object o) [0x00010] in <0f>:0`, `at A.B.C() in /src/B.cs:line 111`,
  /// `A.B:C(Object) (at Assets/B.cs:12)`.
  private static func frame(_ line: ConsoleText.Line) -> CrashReport.Frame? {
    line.bytes.contains(UInt8(ascii: "(")) ? frame(line.text) : nil
  }

  private static func frame(_ line: String) -> CrashReport.Frame? {
    var text = line[LogMargin.end(of: line)...].trimmedOf(" \t>|")[...]
    let isMarked = text.hasPrefix("at ")
    if isMarked { text = text.dropFirst(3) }
    let isWrapper = text.hasPrefix("(wrapper ")
    if isWrapper, let close = text.range(of: ") ") { text = text[close.upperBound...] }
    guard let open = text.firstIndex(of: "(") else { return nil }
    let name = text[..<open].trimmed
    let hasColon = name.contains(":")
    guard isMarked || hasColon, name.contains(".") || hasColon, !name.contains(" "),
      name.utf8.count < 256,
      let close = text[open...].firstIndex(of: ")"), !text.hasSuffix(".java)"),
      !text.hasSuffix(".kt)")
    else { return nil }
    // Java has its file within: `at a.B.c(B.java:12)`.
    let within = text[text.index(after: open)..<close]
    if within.contains(".java") || within.contains(".kt") || within == "Native Method" {
      return nil
    }
    let tail = text[text.index(after: close)...]
    guard isMarked ? true : tail.trimmed.isEmpty || tail.contains("(at ") else { return nil }
    var frame = CrashReport.Frame(symbol: name.replacing(":", with: "."))
    frame.image = String(frame.symbol.prefix { $0 != "." })
    place(tail, in: &frame)
    frame.isOwn = !isWrapper && !systems.contains(where: frame.symbol.hasPrefix)
    return frame
  }

  private static func place(_ tail: Substring, in frame: inout CrashReport.Frame) {
    let start =
      tail.range(of: "(at ")?.upperBound ?? tail.range(of: "] in ")?.upperBound
      ?? tail.range(of: " in ")?.upperBound
    guard let start else { return }
    let text = tail[start...].trimmedOf(") ")
    guard let colon = text.lastIndex(of: ":"), !text.hasPrefix("<") else { return }
    frame.file = String(text[..<colon])
    frame.line = Int(text[text.index(after: colon)...].drop { !$0.isNumber }).flatMap {
      $0 > 0 ? $0 : nil
    }
  }

  /// Libraries by the names of their classes; elsewhere a program's own begins.
  private static let systems = [
    "System.", "UnityEngine.", "UnityEditor.", "Unity.", "UIKit.", "AppKit.", "Foundation.",
    "CoreFoundation.", "ObjCRuntime.", "Microsoft.", "Mono.", "Xamarin.", "Android.", "AndroidX.",
    "Java.",
    "Interop", "MS.", "Cysharp.", "UniRx.",
  ]
}
