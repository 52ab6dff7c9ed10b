import IncidentModel

/// Reads stacks that were pasted from lldb, gdb or Xcode.
enum DebuggerStack {
  static let needles = [
    "stop reason = ", "frame #0: ", "received signal SIG", "terminated with signal SIG", "#0 ",
    "#0\t",
  ]

  /// The beginnings of possible first lines of a pasted stack.
  private static let marks = [
    "* thread #", "thread #", "Program terminated", "Thread ", "frame #", "#0",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    let mark = marks.first { line.contains($0) }
    guard let mark, needles.contains(where: line.contains) || Headline(line) != nil else {
      return nil
    }
    let text = line.hasPrefix(mark) ? text : text.withoutPrefix(before: mark, in: text.middle)
    var stacks = Stacks()
    let start = headline(above: text.middle, in: text) ?? text.middle
    var end = stacks.read(text, from: start)
    end = stacks.takeOwners(text, from: end)
    guard end > text.middle, var report = stacks.finish() else { return nil }
    // The lines just before the stop state its reason; after an abort, every claim about threads
    // counts.
    let isEnded =
      report.failure.map { $0.isFatal && ["SIGABRT", "SIGTRAP"].contains($0.signal) } ?? false
    for place in stride(from: start - 1, through: max(0, start - (isEnded ? 6 : 3)), by: -1) {
      let said = text.lines[place].text.trimmed
      let speaker = Speaker(said)
      let meaning = speaker.flatMap { $0.meaning(of: String(said[$0.start...])) }
      let reason = isEnded && said.utf8.count < 1024 ? Messages.meaning(ofReason: said) : nil
      guard (meaning ?? Messages.meaning(of: said) ?? reason) != nil else { continue }
      // GLib prints the message again after “Bail out!”.
      report.failure?.texts.removeAll { $0.hasSuffix(said) }
      report.failure?.texts.append(said)
      if meaning == nil { break }
    }
    if isEnded, let check = failedCheck(in: text, from: start) {
      report.failure?.texts.append(check)
    }
    report.crumbs = LogLines.crumbs(above: start, in: text)
    return (report, end)
  }

  /// The source line that gdb prints with a frame, `1461
  /// RELEASE_ASSERT(RunLoop::isMain());`, if the line checks the thread.
  private static func failedCheck(in text: ConsoleText, from start: Int) -> String? {
    text.lines[start...].prefix(16).lazy.compactMap { line -> String? in
      let said = line.text
      // The arguments of `__assert_fail` contain the assertion.
      if let open = said.range(of: " assertion=0x"),
        let quote = said[open.upperBound...].range(of: " \""),
        let end = said[quote.upperBound...].firstIndex(of: "\"")
      {
        let failed = "Assertion `\(said[quote.upperBound..<end])' failed."
        return Messages.meaning(ofReason: failed) == nil ? nil : failed
      }
      let digits = said.prefix(while: \.isNumber)
      guard !digits.isEmpty, said[digits.endIndex...].first == "\t" else { return nil }
      let code = said[digits.endIndex...].trimmedOf(" \t;")
      return Messages.meaning(ofReason: code) == nil ? nil : code
    }.first
  }

  /// The headline above a stack, which names the thread. A list of threads may separate the
  /// headline from the stack.
  private static func headline(above line: Int, in text: ConsoleText) -> Int? {
    headline(near: line, in: text)
      ?? text.lines[max(0, line - 40)..<line].lastIndex { line in
        line.text.contains("received signal SIG") && Headline(line.text) != nil
      }.flatMap { start in
        text.lines[start..<line].contains { Frame($0.text) != nil } ? nil : start
      }
  }

  private static func headline(near line: Int, in text: ConsoleText) -> Int? {
    for place in stride(from: line, through: max(0, line - 4), by: -1) {
      if Headline(text.lines[place].text) != nil {
        // Xcode prints one headline with the stop reason and another with the queue.
        let isFirst = place == 0 || Headline(text.lines[place - 1].text) == nil
        return isFirst ? place : place - 1
      }
      if place < line, Frame(text.lines[place].text) != nil { return nil }
    }
    return nil
  }

  /// The headline of a thread's stack.
  struct Headline {
    var number: Int
    /// The system's thread id; 0 if unknown.
    var id = 0
    var name = ""
    var queue: String?
    /// The stop reason; empty if the thread did not cause the stop.
    var reason = ""

    /// - Returns: nil if the line is no headline.
    init?(_ line: String) {
      var text = line.trimmedOf("> |`/")[...]
      let isMarked = text.hasPrefix("* ")
      if isMarked { text = text.dropFirst(2).trimmed[...] }
      if text.hasPrefix("thread #") {
        let digits = text.dropFirst(8).prefix(while: \.isNumber)
        guard let number = Int(digits) else { return nil }
        self.number = number
        takeFields(text.dropFirst(8 + digits.count))
        return
      }
      let isEnd =
        text.hasPrefix("Program received signal ")
        || text.hasPrefix("Program terminated with signal ")
      if isEnd, text.contains("SIG") {
        number = 1
        reason = text.trimmed
        return
      }
      guard text.hasPrefix("Thread ") else { return nil }
      let digits = text.dropFirst(7).prefix(while: \.isNumber)
      guard let number = Int(digits) else { return nil }
      self.number = number
      let rest = text.dropFirst(7 + digits.count)
      guard takeGDB(rest) || takeXcode(rest) else { return nil }
    }

    /// Parses `, queue = 'q', name = 'n', stop reason = …`. The reason is last because it may
    /// contain any text.
    private mutating func takeFields(_ text: Substring) {
      var text = text
      if let stop = text.range(of: "stop reason = ") {
        reason = text[stop.upperBound...].trimmedOf("\" ")
        text = text[..<stop.lowerBound]
      }
      queue = Self.quoted(text, "queue = '")
      name = Self.quoted(text, "name = '") ?? ""
    }

    private static func quoted(_ text: Substring, _ key: String) -> String? {
      guard let start = text.range(of: key)?.upperBound,
        let end = text[start...].firstIndex(of: "'")
      else { return nil }
      return String(text[start..<end])
    }

    /// Parses gdb's fields: ` "pool" received signal SIGILL, …`, ` (Thread 0x7f… (LWP 42)
    /// "pool"):`.
    private mutating func takeGDB(_ text: Substring) -> Bool {
      let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
      if text.contains("received signal SIG") {
        reason = text.range(of: "received signal ").map { text[$0.upperBound...].trimmed } ?? ""
      } else if !text.contains("(LWP ") || !text.hasSuffix(":") {
        return false
      }
      if quoted.count >= 3 { name = String(quoted[1]) }
      if let place = text.range(of: "(LWP ") {
        id = Int(text[place.upperBound...].prefix(while: \.isNumber)) ?? 0
      }
      return true
    }

    /// Parses Xcode's fields: `: "Modifications to …"`, `: Fatal error: …`, ` Queue : org.quarry
    /// (serial)`, `: EXC_BAD_ACCESS (…)`.
    private mutating func takeXcode(_ text: Substring) -> Bool {
      if let place = text.range(of: "Queue : "), text[..<place.lowerBound].trimmedOf(", ").isEmpty {
        let name = text[place.upperBound...]
        queue = (name.range(of: " (").map { name[..<$0.lowerBound] } ?? name).trimmed
        return true
      }
      guard text.hasPrefix(": ") else { return false }
      let said = text.dropFirst(2).trimmed
      let isSaid = ["\"", "Fatal error", "EXC_", "signal SIG", "Assertion failed", "Precondition"]
        .contains { said.hasPrefix($0) }
      guard isSaid else { return false }
      reason = said.trimmedOf("\"")
      return true
    }
  }

  /// A frame and its number in the stack.
  struct Frame {
    var number: Int
    var frame = CrashReport.Frame()

    /// - Returns: nil if the line is no stack frame.
    init?(_ line: String) {
      guard let sign = line.range(of: "#")?.lowerBound else { return nil }
      let head = line[..<sign].trimmedOf("*> |`/\t")
      guard head.isEmpty || head == "frame" else { return nil }
      var rest = line[sign...].dropFirst()
      let digits = rest.prefix(while: \.isNumber)
      guard let number = Int(digits), digits.count <= 4 else { return nil }
      self.number = number
      rest = rest.dropFirst(digits.count)
      if rest.first == ":" { rest = rest.dropFirst() }
      guard rest.first?.isWhitespace == true else { return nil }
      rest = rest.trimmed[...]
      if rest.hasPrefix("0x") {
        let address = rest.prefix { $0 != " " }
        frame.address = UInt64(hexadecimal: address) ?? 0
        rest = rest.dropFirst(address.count).trimmed[...]
        if rest.hasPrefix("in ") { rest = rest.dropFirst(3) }
      } else if rest.hasPrefix("in "), rest.contains("(") {
        rest = rest.dropFirst(3)
      } else if head != "frame", !Self.isCall(rest) {
        return nil
      }
      place(rest)
      // A sanitizer's frame has its position after the name; another reader parses it.
      guard !frame.symbol.isEmpty || frame.address != 0 else { return nil }
    }

    /// True for gdb's form of an inlined frame, which has no address: `squeeze (self=0x0) at
    /// Press.c:12`.
    private static func isCall(_ text: Substring) -> Bool {
      guard let open = text.range(of: " (") else { return false }
      return text[open.upperBound...].contains(") at ")
        || text[open.upperBound...].contains(") from /")
    }

    private mutating func place(_ text: Substring) {
      var text = text
      // The arguments of a function may contain a quotation.
      if let tick = text.prefix(while: { $0 != "=" }).range(of: "`") {
        frame.image = text[..<tick.lowerBound].trimmed
        text = text[tick.upperBound...]
      }
      // lldb marks frames of optimized and of generated code.
      for mark in [" [opt]", " [artificial]"] where text.hasSuffix(mark) {
        text = text.dropLast(mark.count)
      }
      if let at = text.lastRange(of: " at "), Self.isPosition(text[at.upperBound...]) {
        let position = text[at.upperBound...].prefix { !",;)".contains($0) }
        frame.file = String(position)
        if let place = SourcePosition(position) { frame.take(place) }
        text = text[..<at.lowerBound]
      }
      if let from = text.lastRange(of: " from /") {
        frame.path = "/" + text[from.upperBound...].trimmed
        frame.image = frame.path.split(separator: "/").last.map(String.init) ?? ""
        text = text[..<from.lowerBound]
      }
      frame.symbol = Self.withoutValues(text.withoutOffset.trimmed)
    }

    private static func isPosition(_ text: Substring) -> Bool {
      !text.contains(" ") && text.contains(".")
    }

    /// The function without the values of its arguments: `squeeze` for `squeeze(self=0x0, by=3)`.
    private static func withoutValues(_ symbol: String) -> String {
      var depth = 0
      for place in symbol.indices.reversed() {
        if symbol[place] == ")" { depth += 1 }
        guard symbol[place] == "(" else { continue }
        depth -= 1
        guard depth == 0 else { continue }
        let group = symbol[place...]
        guard symbol.hasSuffix(")") else { return symbol }
        if group == "()", place > symbol.startIndex,
          symbol[symbol.index(before: place)] == " "
        {
          return symbol[..<place].trimmed
        }
        return group.contains("=") ? symbol[..<place].trimmed : symbol
      }
      return symbol
    }
  }

  /// Collects the threads of a paste line by line.
  private struct Stacks {
    private var threads: [CrashReport.Thread] = []
    /// The indices of the threads by number.
    private var places: [Int: Int] = [:]
    /// The index of the thread that receives the next frames.
    private var current: Int?
    private var stopped: Headline?
    private var last = -1
    /// The address of the mutex that a thread waits for, by the index of the thread.
    private var awaited: [Int: UInt64] = [:]
    /// The variable that contains this mutex, if gdb names it: `g_table` for `<g_table+64>`.
    private var awaitedNames: [Int: String] = [:]
    private var isToldOfOwners = false

    mutating func read(_ text: ConsoleText, from start: Int) -> Int {
      var end = start
      var missed = 0
      for place in start..<max(start, min(text.lines.count, start + 4000)) {
        text.search.lines += 1
        let line = text.lines[place].text
        if let headline = Headline(line) {
          begin(headline)
        } else if takeListed(line) {
          missed = 0
          continue
        } else if let frame = Frame(line), frame.number > last || frame.number == 0 {
          if frame.number == 0, last >= 0, !startsAgain { break }
          add(frame)
          if let place = current, awaited[place] == nil {
            awaited[place] = Self.address(in: line, after: "mutex=0x")
          }
          if let place = current, awaitedNames[place] == nil {
            awaitedNames[place] = Self.variable(in: line)
          }
        } else if missed > 6 {
          break
        } else {
          missed += line.trimmed.isEmpty ? 1 : 2
          continue
        }
        end = place + 1
        missed = 0
      }
      return end
    }

    /// Takes a stackless thread from gdb's list, `* 5  Thread 0x7f21 (LWP 41877) "reader" poll ()`,
    /// or the current thread from `[Switching to Thread 0x7f21 (LWP 41877)]`.
    private mutating func takeListed(_ line: String) -> Bool {
      let text = line.trimmedOf("> |`*")
      guard let lwp = text.range(of: "(LWP "), text.contains("Thread 0x"), !text.hasPrefix("#"),
        let id = Int(text[lwp.upperBound...].prefix(while: \.isNumber))
      else { return false }
      if text.hasPrefix("[Switching to ") {
        if let current, threads[current].id == 0 { threads[current].id = id }
        return true
      }
      guard let number = Int(text.prefix(while: \.isNumber)), threads.count < 4096 else {
        return false
      }
      let quoted = text[lwp.upperBound...].split(separator: "\"", omittingEmptySubsequences: false)
      let name = quoted.count >= 3 ? String(quoted[1]) : ""
      if let known = places[number] {
        if threads[known].name.isEmpty { threads[known].name = name }
      } else {
        listed.append(CrashReport.Thread(number: number, id: id, name: name, isMain: number == 1))
      }
      return true
    }

    /// Threads whose stacks are not in the paste.
    private var listed: [CrashReport.Thread] = []

    /// Reads the owners of awaited mutexes, if the user printed them below the stacks: `(gdb) p
    /// ((pthread_mutex_t*)0x5642)->__data.__owner`, `$1 = 23455`.
    mutating func takeOwners(_ text: ConsoleText, from start: Int) -> Int {
      var end = start
      var asked: [Int] = []
      var asksForOwner = false
      for place in start..<max(start, min(text.lines.count, start + 24)) where !awaited.isEmpty {
        let line = text.lines[place].text
        if line.contains("(gdb) p") {
          asked = waiters(askedFor: line)
          asksForOwner = line.contains("__owner")
          isToldOfOwners = isToldOfOwners || !asked.isEmpty
        } else if !asked.isEmpty {
          let said = line.range(of: asksForOwner ? " = " : "__owner = ")
          guard let said, let owner = Int(line[said.upperBound...].prefix(while: \.isNumber)) else {
            continue
          }
          let holder = threads.first { $0.id == owner && owner != 0 }?.number
          for waiting in asked {
            threads[waiting].waitsFor = holder == threads[waiting].number ? nil : holder
          }
          asked = []
          end = place + 1
        }
      }
      return end
    }

    /// The indices of the threads that wait for the mutex in a command: by its address, or by the
    /// variable that contains it, `p g_table.lock.__data.__owner`.
    private func waiters(askedFor line: String) -> [Int] {
      if let mutex = Self.address(in: line, after: "0x") {
        return awaited.filter { $0.value == mutex }.map(\.key)
      }
      guard let command = line.range(of: "(gdb) p")?.upperBound else { return [] }
      let name = line[command...].drop { !" ".contains($0) }.drop { " &*(".contains($0) }
        .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }
      return awaitedNames.filter { $0.value == name }.map(\.key)
    }

    /// The variable in `mutex=0x55b1e20c41a0 <g_table+64>`.
    private static func variable(in line: String) -> String? {
      guard let mark = line.range(of: "mutex=0x"),
        let open = line[mark.upperBound...].range(of: " <")
      else { return nil }
      let name = line[open.upperBound...].prefix { $0 != "+" && $0 != ">" }
      return name.isEmpty ? nil : String(name)
    }

    private static func address(in line: String, after mark: String) -> UInt64? {
      line.range(of: mark).flatMap { place in
        UInt64(hexadecimal: "0x" + line[place.upperBound...].prefix(while: \.isHexDigit))
      }
    }

    /// True if the current thread has a headline and no frame yet.
    private var startsAgain: Bool { current.map { threads[$0].frames.isEmpty } ?? true }

    private mutating func begin(_ headline: Headline) {
      if !headline.reason.isEmpty, stopped == nil { stopped = headline }
      last = -1
      // The queue may have a second headline below the thread's headline.
      if let current, threads[current].number == headline.number, startsAgain {
        threads[current].queue = threads[current].queue ?? headline.queue
        return
      }
      var thread = CrashReport.Thread(number: headline.number, name: headline.name)
      thread.id = headline.id
      thread.queue = headline.queue
      thread.isMain = headline.queue.map(MainThread.isMain(queue:)) ?? (headline.number == 1)
      append(thread, replacing: headline.id == 0 ? nil : places[headline.number])
    }

    /// - Parameter known: The index of the same thread's earlier stack, if any: a list of all
    ///   stacks repeats the stopped thread with its complete stack.
    private mutating func append(_ thread: CrashReport.Thread, replacing known: Int? = nil) {
      if let known {
        threads[known] = thread
        awaited[known] = nil
        current = known
      } else if threads.count < 4096 {
        current = threads.count
        places[thread.number] = places[thread.number] ?? threads.count
        threads.append(thread)
      } else {
        current = nil
      }
    }

    private mutating func add(_ frame: Frame) {
      if threads.isEmpty { append(CrashReport.Thread(number: CrashReport.unknownThread)) }
      guard let current, threads[current].frames.count < 1024 else { return }
      threads[current].frames.append(frame.frame)
      last = frame.number
    }

    /// Functions that never return to the program.
    private static let ends: Set<String> = [
      "_dispatch_assert_queue_fail", "abort", "raise", "__pthread_kill",
      "__pthread_kill_implementation",
      "objc_exception_throw", "_swift_runtime_on_report", "_assertionFailure",
    ]

    /// - Returns: nil if the text has only a single stray frame.
    func finish() -> CrashReport? {
      let count = threads.map(\.frames.count).reduce(0, +)
      guard count > 0, stopped != nil || count > 1 else { return nil }
      var report = CrashReport(.debugger)
      let known = Set(threads.map(\.number))
      report.threads = threads + listed.filter { !known.contains($0.number) }
      // In a core, gdb gives the crashed thread number 1. The main thread has the lowest system id.
      if stopped?.reason.contains("terminated with signal") == true,
        let first = report.threads.map(\.id).filter({ $0 > 0 }).min()
      {
        for place in report.threads.indices {
          report.threads[place].isMain = report.threads[place].id == first
        }
      }
      let number = stopped?.number ?? (threads.count == 1 ? threads[0].number : nil)
      var failure = CrashReport.Failure(thread: number)
      failure.take(reason: stopped?.reason ?? "")
      let innermost = threads.first { $0.number == number }?.frames.prefix(3) ?? []
      if !failure.isFatal, innermost.contains(where: { Self.ends.contains($0.symbol) }) {
        failure.isFatal = true
        failure.type = "stopped"
      }
      report.failure = failure
      report.hasUntoldLocks = threads.count > 2 && !isToldOfOwners
      // The process was paused or is at a breakpoint, but its threads may still wait for each
      // other.
      if !failure.isFatal, let main = threads.first(where: { $0.isMain == true }) {
        report.hang = CrashReport.Hang(thread: main.number, isTold: false)
      }
      return report
    }
  }
}

extension CrashReport.Failure {
  /// Sets the failure from a debugger's stop reason: an exception, a signal or a sentence. A
  /// breakpoint is no failure.
  fileprivate mutating func take(reason: String) {
    let words = reason.split(separator: " ")
    let first = words.first.map { $0.trimmedOf(",:") } ?? ""
    if first.hasPrefix("EXC_") {
      type = first
    } else if first == "signal", words.count > 1 {
      signal = words[1].trimmedOf(",:")
    } else if first.hasPrefix("SIG") {
      signal = first
    } else if reason.hasPrefix("Program "), words.count > 3, words.contains("signal") {
      signal = words.first { $0.hasPrefix("SIG") }.map { $0.trimmedOf(",:.") } ?? ""
    } else if ["breakpoint", "watchpoint", "step", "instruction", ""].contains(first) {
      isFatal = false
      type = first.isEmpty ? "" : "stopped at a \(first)"
      return
    } else {
      type = "stopped"
    }
    texts = [reason]
    if ["SIGSTOP", "SIGINT"].contains(signal) { isFatal = false }
  }
}
