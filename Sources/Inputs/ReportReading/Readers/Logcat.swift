import IncidentModel

/// Reads exceptions from Android's log.
enum Logcat {
  static let needles = ["CalledFromWrongThreadException", "FATAL EXCEPTION: "]
  /// Words of exceptions that claim where their code belongs.
  static let claims = ["called Looper.prepare()", "incorrect thread"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard needles.contains(where: line.contains) || isThrown(line, text) else { return nil }
    var reader = Reading()
    // The long form has a line of its own for who logs.
    if text.middle > 0 { reader.takeIDs(text.lines[text.middle - 1].text) }
    var end = text.middle + 1
    var missed = 0
    for place in text.middle..<text.lines.count where missed <= 6 {
      text.search.lines += 1
      if place > text.middle, text.lines[place].text.contains(needles[1]) { break }
      if reader.take(text.lines[place].text) {
        end = place + 1
        missed = 0
      } else {
        missed += 1
      }
    }
    return reader.finish().map { ($0, end) }
  }

  /// `at a.b.C.d(File.java:1)`, or without the `at`, as Crashlytics gives it out: `a.b.C.d (File.java:1)`.
  static func frame(of line: Substring) -> CrashReport.Frame? {
    let text = line.trimmed
    if let frame = Reading.frame(text) { return frame }
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "("), open > text.startIndex,
      text[..<open].trimmed.split(separator: ".").count >= 3, !text[..<open].trimmed.contains(" ")
    else { return nil }
    return Reading.frame("at " + text)
  }

  /// Whether a line is an exception that claims where its code belongs, with the stack that shows it was
  /// thrown.
  private static func isThrown(_ line: String, _ text: ConsoleText) -> Bool {
    guard let exception = Reading.exception(line),
      ThreadClaim(exception.text) != nil || exception.text.contains(claims[0])
    else { return false }
    let following = text.lines[(text.middle + 1)...].prefix(3)
    return following.contains { Reading.frame($0.text) != nil }
  }

  private struct Reading {
    private var report = CrashReport(.androidLogcat)
    private var failure = CrashReport.Failure()
    private var thread = CrashReport.Thread(number: CrashReport.unknownThread)

    /// - Returns: whether the line belongs to the exception.
    mutating func take(_ line: String) -> Bool {
      if let place = line.range(of: "FATAL EXCEPTION: ") {
        thread.name = line[place.upperBound...].trimmed
        takeIDs(line)
        return true
      }
      if let place = line.range(of: "Process: ") {
        report.process = String(line[place.upperBound...].prefix { $0 != "," })
        return true
      }
      if let frame = Self.frame(line) {
        failure.thrown.append(frame)
        return true
      }
      guard failure.type.isEmpty, let type = Self.exception(line) else { return false }
      takeIDs(line)
      if let name = Self.throwingThread(in: line) { thread.name = name }
      failure.type = type.name
      failure.texts = [type.text]
      return true
    }

    /// `11-20 08:00:00.123  4242  4260 E AndroidRuntime: …`, `4242-4260`, or `[ … 4242: 4260 E/… ]`.
    mutating func takeIDs(_ line: String) {
      let words = line.split(separator: " ").prefix(6).map { word in
        word.last == ":" ? word.dropLast() : word.prefix { $0 != "/" }
      }
      var numbers = words.compactMap { Int($0) }
      for word in words where numbers.count < 2 {
        let pair = word.split(separator: "-").compactMap { Int($0) }
        if pair.count == 2, word.count > 5 { numbers = pair }
      }
      guard numbers.count >= 2 else { return }
      report.processID = numbers[0]
      thread.number = numbers[1]
      thread.id = numbers[1]
    }

    static func exception(_ line: String) -> (name: String, text: String)? {
      // A glance spares most lines the search word by word.
      guard line.contains("Exception") || line.contains("Error") || line.contains("Throwable")
      else { return nil }
      for word in line.split(separator: " ") {
        let name = word.trimmedOf(":")
        guard ["Exception", "Error", "java.lang.Throwable"].contains(where: name.hasSuffix),
          name.contains("."),
          let place = line.range(of: String(word))
        else { continue }
        return (name, line[place.upperBound...].trimmed)
      }
      return nil
    }

    /// `at com.quarry.Board.show(Board.kt:12)`.
    static func frame(_ line: String) -> CrashReport.Frame? {
      guard let place = line.range(of: "at "), line.hasSuffix(")"),
        let open = line[place.upperBound...].firstIndex(of: "(")
      else { return nil }
      var name = line[place.upperBound..<open].trimmed
      // The class loader and the module stand before the class: `app//`, `java.base/`.
      if let module = name.lastIndex(of: "/") { name = String(name[name.index(after: module)...]) }
      guard name.contains("."), !name.contains(" ") else { return nil }
      let position = line[line.index(after: open)...].dropLast()
      // Elsewhere the arguments stand there.
      let isPosition = !position.contains(" ") || positions.contains(where: position.hasPrefix)
      guard !position.isEmpty, isPosition else { return nil }
      let parts = position.split(separator: ":")
      let package = name.split(separator: ".").dropLast(2).joined(separator: ".")
      var frame = CrashReport.Frame(symbol: String(name), image: package)
      frame.file = parts.first.map(String.init)
      frame.line = parts.count > 1 ? Int(parts[1]) : nil
      frame.isOwn = !systems.contains(where: name.hasPrefix)
      return frame
    }

    private static let positions = ["Native ", "Unknown ", "Compiled "]

    private static let systems = [
      "android.", "androidx.", "java.", "javax.", "kotlin.", "kotlinx.", "com.android.", "dalvik.",
      "com.google.android.", "okhttp3.", "retrofit2.", "io.reactivex.", "rx.", "sun.", "libcore.",
      "com.facebook.react.", "io.flutter.", "javafx.", "com.sun.", "jdk.", "org.eclipse.swt.",
      "com.android.internal.", "com.facebook.jni.", "org.chromium.",
    ]

    /// `Exception in thread "pool-1-thread-1" java.lang.IllegalStateException: …`.
    private static func throwingThread(in line: String) -> String? {
      guard let start = line.range(of: "Exception in thread \"")?.upperBound,
        let end = line[start...].firstIndex(of: "\"")
      else { return nil }
      return String(line[start..<end])
    }

    /// `… Current thread: pool-1-thread-1`, `…; currentThread = pool-2-thread-1`.
    private static func currentThread(in text: String) -> String {
      for mark in ["urrent thread: ", "urrentThread = "] {
        if let place = text.range(of: mark) { return text[place.upperBound...].trimmedOf(". ") }
      }
      return ""
    }

    mutating func finish() -> CrashReport? {
      guard !failure.type.isEmpty else { return nil }
      if thread.name.isEmpty, let text = failure.texts.first {
        thread.name = Self.currentThread(in: text)
      }
      if !thread.name.isEmpty {
        thread.isMain = thread.name == "main"
      } else if thread.id > 0 {
        thread.isMain = thread.number == report.processID
      }
      failure.thread = thread.number
      report.threads = [thread]
      report.failure = failure
      let calling = failure.texts.first.flatMap { text in
        text.range(of: "Calling: ").map { text[$0.upperBound...].trimmed }
      }
      let isWrongThread = failure.type.contains("CalledFromWrongThreadException")
      if isWrongThread, thread.isMain != true, calling != "main" {
        let entry = failure.thrown.prefix { $0.isOwn == false }.last
        report.violations = [
          CrashReport.Violation(
            api: entry?.symbol ?? "", thread: thread.number, frames: failure.thrown)
        ]
      }
      return report
    }
  }
}
