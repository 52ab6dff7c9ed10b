import IncidentModel

/// Reads Java and Kotlin exceptions, from Android's log or from a console.
enum Logcat {
  static let needles = ["CalledFromWrongThreadException", "FATAL EXCEPTION: "]
  /// Parts of exception messages that state the required thread.
  static let claims =
    [
      "called Looper.prepare()", "incorrect thread", "Exception in thread \"", "ispatch Thread",
      "dispatch thread", "ThreadingViolation", "checkThread(", "UserThread(",
    ] + ExceptionMention.needles

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard !Messages.isLiteral(line) else { return nil }
    guard needles.contains(where: line.contains) || isThrown(line, text) else {
      return bareStack(text)
    }
    var reader = Reading()
    // The long format has the process id on a separate line.
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
    reader.takeLog(above: text.middle, in: text)
    return reader.finish().map { ($0, end) }
  }

  /// Reads a stack without an exception, whose innermost function checks its thread. That function
  /// would have returned on the right thread.
  private static func bareStack(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard let check = Reading.frame(text.lines[text.middle].text),
      ThreadCheckName.matches(check.symbol), LibraryPackages.contain(check.symbol)
    else { return nil }
    var start = text.middle
    while start > 0, Reading.frame(text.lines[start - 1].text) != nil { start -= 1 }
    guard text.middle - start < 4 else { return nil }
    var reader = Reading()
    var end = start
    while end < text.lines.count, reader.take(text.lines[end].text) { end += 1 }
    guard end - start > 2 else { return nil }
    reader.takeLog(above: start, in: text)
    return reader.finish(else: "a check of the thread").map { ($0, end) }
  }

  /// Parses `at a.b.C.d(File.java:1)`, or Crashlytics' form without `at`: `a.b.C.d (File.java:1)`.
  static func frame(of line: Substring) -> CrashReport.Frame? {
    let text = line.trimmed
    if let frame = Reading.frame(text) { return frame }
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "("), open > text.startIndex,
      text[..<open].trimmed.split(separator: ".").count >= 3, !text[..<open].trimmed.contains(" ")
    else { return nil }
    return Reading.frame("at " + text)
  }

  /// True if a line is an exception about the required thread and is followed by a stack, which
  /// shows that the exception was thrown.
  private static func isThrown(_ line: String, _ text: ConsoleText) -> Bool {
    guard let exception = Reading.exception(line) else { return false }
    let following = text.lines[(text.middle + 1)...].prefix(6).compactMap { Reading.frame($0.text) }
    guard !following.isEmpty else { return false }
    if Reading.isOfThreads(exception) || following.contains(where: Reading.isCheck) { return true }
    // Another exception may wrap the exception about the thread.
    let causes = text.lines[(text.middle + 1)...].prefix(200).lazy.map(\.text).filter {
      $0.contains("Caused by: ")
    }
    return line.contains(claims[2])
      && causes.contains { cause in
        Reading.exception(cause).map(Reading.isOfThreads) ?? false
      }
  }

  private struct Reading {
    private var report = CrashReport(.androidLogcat)
    private var failure = CrashReport.Failure()
    /// The wrapped exceptions, outermost first.
    private var causes: [CrashReport.Failure] = []
    private var thread = CrashReport.Thread(number: CrashReport.unknownThread)
    private var isOfLog = false
    /// True if Android states that it ended the process.
    private var isFatal = false

    static func isOfThreads(_ exception: (name: String, text: String)) -> Bool {
      ThreadClaim(exception.text) != nil || exception.text.contains(Logcat.claims[0])
        || ThreadCheckName.matches(exception.name.replacing("Exception", with: ""))
    }

    static func isCheck(_ frame: CrashReport.Frame) -> Bool {
      ThreadCheckName.matches(frame.symbol)
    }

    mutating func takeLog(above line: Int, in text: ConsoleText) {
      // IntelliJ's log prints the message and its thread again above the exception.
      if thread.name.isEmpty, !isOfLog {
        thread.name =
          text.lines[max(0, line - 3)..<line].lazy.map(\.text)
          .filter { $0.trimmed.hasPrefix("Current thread: ") }.map(Self.currentThread)
          .first { !$0.isEmpty } ?? text.lines[max(0, line - 1)...line].lazy
          .compactMap { LogThread.named(in: $0.text)?.name }.first { !$0.isEmpty } ?? ""
      }
      report.crumbs = LogLines.crumbs(above: line, in: text, process: report.processID)
    }

    /// Takes a line of a wrapped exception: `Caused by: java.lang.IllegalStateException: …`, `... 4
    /// more`.
    private mutating func takeCause(_ line: String) -> Bool {
      guard !failure.type.isEmpty, causes.count < 16 else { return false }
      if line.contains("Caused by: "), let type = Self.exception(line) {
        causes.append(CrashReport.Failure(type: type.name, texts: [type.text]))
        return true
      }
      let text = line.trimmed
      guard let place = text.range(of: "... "), text.hasSuffix(" more"),
        let count = Int(text[place.upperBound...].dropLast(5)), let last = causes.indices.last
      else { return false }
      let outer = last > 0 ? causes[last - 1] : failure
      causes[last].thrown += outer.thrown.suffix(count)
      return true
    }

    /// - Returns: true if the line belongs to the exception.
    mutating func take(_ line: String) -> Bool {
      if let place = line.range(of: "FATAL EXCEPTION: ") {
        thread.name = line[place.upperBound...].trimmed
        (isOfLog, isFatal) = (true, true)
        takeIDs(line)
        return true
      }
      if line.contains("AndroidRuntime") { isFatal = true }
      if let place = line.range(of: "Process: ") {
        report.process = String(line[place.upperBound...].prefix { $0 != "," })
        if report.processID == 0, let id = line.range(of: "PID: ")?.upperBound {
          report.processID = Int(line[id...].prefix(while: \.isNumber)) ?? 0
        }
        return true
      }
      if let frame = Self.frame(line) {
        if causes.isEmpty {
          failure.thrown.append(frame)
        } else {
          causes[causes.count - 1].thrown.append(frame)
        }
        return true
      }
      if takeCause(line) || takeScript(line) { return true }
      // IntelliJ's assertion prints its thread below its message.
      if failure.thrown.isEmpty, thread.name.isEmpty, !failure.type.isEmpty {
        let name = Self.currentThread(in: line)
        if !name.isEmpty {
          thread.name = name
          return true
        }
      }
      guard failure.type.isEmpty, let type = Self.exception(line) else { return false }
      takeIDs(line)
      if let name = Self.throwingThread(in: line) { thread.name = name }
      failure.type = type.name
      failure.texts = [type.text]
      return true
    }

    /// Takes a JavaScript frame below React Native's exception: `Trip@1:220114`. React's own functions
    /// call the program's and are not its code.
    private mutating func takeScript(_ line: String) -> Bool {
      guard failure.type.hasSuffix("JavascriptException"), causes.isEmpty else { return false }
      let word = line.split(separator: " ").last ?? ""
      guard let at = word.lastIndex(of: "@"), at > word.startIndex,
        word[word.index(after: at)...].split(separator: ":").count == 2,
        word[word.index(after: at)...].allSatisfy({ $0.isNumber || $0 == ":" })
      else { return false }
      var frame = CrashReport.Frame(symbol: String(word[..<at]), image: "JavaScript")
      frame.isOwn = ![
        "renderWith", "beginWork", "performUnit", "workLoop", "callFunction", "commit",
      ]
      .contains(where: frame.symbol.hasPrefix)
      failure.thrown.append(frame)
      return true
    }

    mutating func takeIDs(_ line: String) {
      let inner = LogMargin.log(of: line).map { line[$0...] }
      guard let prefix = LogcatPrefix(line[...]) ?? inner.flatMap({ LogcatPrefix($0) }) else {
        return
      }
      isOfLog = true
      report.processID = prefix.process
      thread.number = prefix.thread
      thread.id = prefix.thread
    }

    static func exception(_ line: String) -> (name: String, text: String)? {
      // A cheap test spares most lines the search word by word.
      guard line.contains("Exception") || line.contains("Error") || line.contains("Throwable")
      else { return nil }
      for word in line.split(separator: " ") {
        let name = word.trimmedOf(":")
        let type = name.split(separator: ".").last ?? ""
        let isType =
          ["Exception", "Error", "java.lang.Throwable"].contains(where: name.hasSuffix)
          || type.contains("Exception") && type.first?.isUppercase == true && word.last == ":"
        guard isType, name.contains("."),
          let place = line.range(of: String(word))
        else { continue }
        return (name, line[place.upperBound...].trimmed)
      }
      return nil
    }

    /// Parses `at com.quarry.Board.show(Board.kt:12)`.
    static func frame(_ line: String) -> CrashReport.Frame? {
      guard let place = line.range(of: "at "), line.hasSuffix(")"),
        let open = line[place.upperBound...].firstIndex(of: "(")
      else { return nil }
      var name = line[place.upperBound..<open].trimmed
      // A class loader or module may precede the class: `app//`, `java.base/`.
      if let module = name.lastIndex(of: "/") { name = String(name[name.index(after: module)...]) }
      guard name.contains("."), !name.contains(" ") else { return nil }
      // A module may precede the file: `java.base@21.0.5/Native Method`.
      let position = line[line.index(after: open)...].dropLast().split(separator: "/").last ?? ""
      // Other tools print the arguments in the parentheses.
      let isPosition = !position.contains(" ") || positions.contains(where: position.hasPrefix)
      guard !position.isEmpty, isPosition else { return nil }
      let parts = position.split(separator: ":")
      let package = name.split(separator: ".").dropLast(2).joined(separator: ".")
      var frame = CrashReport.Frame(symbol: String(name), image: package)
      frame.file = parts.first.map(String.init)
      frame.line = parts.count > 1 ? Int(parts[1]) : nil
      frame.isManaged = true
      return frame
    }

    private static let positions = ["Native ", "Unknown ", "Compiled "]

    /// Selects the exception about a thread as the failure, however deeply it was wrapped.
    private mutating func takeRootCause() {
      let known = failure
      let told = causes.last { Self.isOfThreads(($0.type, $0.texts.first ?? "")) }
      guard let told, !Self.isOfThreads((known.type, known.texts.first ?? "")) else {
        for cause in causes where known.thrown.isEmpty { failure.thrown += cause.thrown }
        // A library's exception that only wraps another one says nothing about the program.
        let isOwn = { (frame: CrashReport.Frame) in !LibraryPackages.contain(frame.symbol) }
        if !known.thrown.contains(where: isOwn),
          let cause = causes.last(where: { $0.thrown.contains(where: isOwn) })
        {
          failure = cause
        }
        return
      }
      failure = told
    }

    /// The thread in `Exception in thread "pool-1-thread-1" java.lang.IllegalStateException: …`.
    private static func throwingThread(in line: String) -> String? {
      guard let start = line.range(of: "Exception in thread \"")?.upperBound,
        let end = line[start...].firstIndex(of: "\"")
      else { return nil }
      return String(line[start..<end])
    }

    /// The thread in `… Current thread: pool-1-thread-1`, `…; currentThread = pool-2-thread-1`.
    private static func currentThread(in text: String) -> String {
      let marks = [
        "urrent thread: ", "urrentThread = ", "urrent thread is ", "Calling: ", ", was: ",
        ", got: ", " but was ",
        "but was: ", "called on thread ", "but is on ", "; was on ", ", was on ",
      ]
      for mark in marks {
        guard let place = text.range(of: mark) else { continue }
        // Java prints a thread as `Thread[pool-1-thread-2,5,main]`.
        var rest = text[place.upperBound...]
        if rest.hasPrefix("Thread["), let open = rest.firstIndex(of: "[") {
          let fields = rest[rest.index(after: open)...].split(separator: ",")
          rest = fields.first { !$0.hasPrefix("#") } ?? rest
        }
        let name = rest.trimmedOf(".'\"() ")
        let isWritten = text[place.upperBound...].hasPrefix("Thread[")
        if !name.isEmpty, name.utf8.count < 64,
          name.split(separator: " ").count <= (isWritten ? 6 : 3)
        {
          return name
        }
      }
      return ""
    }

    /// - Parameter other: the title of a report without an exception.
    mutating func finish(else other: String = "") -> CrashReport? {
      if failure.type.isEmpty { failure.type = other }
      guard !failure.type.isEmpty else { return nil }
      takeRootCause()
      let isOfAndroid =
        isOfLog || !report.process.isEmpty
        || failure.thrown.contains {
          $0.symbol.hasPrefix("android.") || $0.symbol.hasPrefix("com.android.")
        }
      if !isOfAndroid { report.format = .javaTrace }
      if thread.name.isEmpty, let text = failure.texts.first {
        thread.name = Self.currentThread(in: text)
      }
      if failure.texts.first?.contains("Calling: main") == true {
        thread.isMain = true
      } else if !thread.name.isEmpty {
        thread.isMain = thread.name == "main"
      } else if thread.id > 0 {
        thread.isMain = thread.number == report.processID
      }
      failure.thread = thread.number
      // Outside Android, an uncaught exception ends only its thread, or is merely logged.
      failure.endsProcess = isFatal
      report.threads = [thread]
      report.failure = failure
      return report
    }
  }
}
