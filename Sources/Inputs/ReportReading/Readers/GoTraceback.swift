import IncidentModel

/// Reads the goroutines that Go's runtime prints when it ends a process: after a panic, after a
/// signal, or if all goroutines wait.
struct GoTraceback {
  static let needles = ["fatal error: ", "goroutine 1 [", "panic: ", "SIGQUIT: quit"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    let next = text.lines[text.middle...].prefix(12).firstIndex { Headline($0.text) != nil }
    guard let start = next, start == text.middle || said(line) != nil else { return nil }
    var reader = GoTraceback()
    let end = reader.read(text, from: start)
    let words = said(line) ?? text.lines[..<start].suffix(8).lazy.compactMap { said($0.text) }.last
    return reader.finish(words).map { ($0, max(end, text.middle + 1)) }
  }

  /// The type and text of the runtime's message before it ends the process.
  private static func said(_ line: String) -> (type: String, text: String)? {
    let text = line[LogMargin.end(of: line)...]
    for type in ["fatal error: ", "panic: "] where text.hasPrefix(type) {
      return (String(type.dropLast(2)), text.dropFirst(type.count).trimmed)
    }
    return text.hasPrefix("SIGQUIT: quit") ? ("SIGQUIT", "quit") : nil
  }

  /// The first line of a goroutine: `goroutine 18 [chan send, 14 minutes]:`.
  private struct Headline {
    var number: Int
    var state: String
    /// The duration of the current state; empty below one minute.
    var time = ""

    init?(_ line: String) {
      let text = line[LogMargin.end(of: line)...].trimmed
      guard text.hasPrefix("goroutine "), text.hasSuffix("]:"),
        let open = text.range(of: " ["),
        let number = Int(text[..<open.lowerBound].dropFirst(10).prefix(while: \.isNumber))
      else { return nil }
      self.number = number
      let words = text[open.upperBound...].dropLast(2).split(separator: ",").map(\.trimmed)
      state = words.first ?? ""
      time = words.first { $0.hasSuffix(" minutes") } ?? ""
    }
  }

  private var report = CrashReport(.goTraceback)
  /// The wait times of goroutines that have waited at least a minute for a lock or a semaphore, by
  /// index in `report.threads`.
  private var waited: [Int: String] = [:]
  /// The function whose position is on the next line.
  private var pending: Substring?

  private mutating func read(_ text: ConsoleText, from start: Int) -> Int {
    text.read(from: start, most: 40_000, patience: 4) { line in
      Headline(line).map { begin($0) }
        ?? take(line[(LogMargin.log(of: line) ?? line.startIndex)...])
    }
  }

  private mutating func begin(_ headline: Headline) -> Bool? {
    pending = nil
    var thread = CrashReport.Thread(number: headline.number, isMain: headline.number == 1)
    thread.name = "goroutine"
    if Self.waits.contains(headline.state) {
      thread.frames = [CrashReport.Frame(symbol: headline.state, image: "runtime", isOwn: false)]
    }
    guard report.begin(thread) != nil else { return nil }
    if Self.locks.contains(headline.state), !headline.time.isEmpty {
      waited[report.threads.count - 1] = headline.time
    }
    return true
  }

  private static let locks: Set<String> = [
    "semacquire", "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock",
  ]

  /// The states of a goroutine that waits for another goroutine.
  private static let waits: Set<String> = [
    "chan send", "chan receive", "select", "semacquire", "sync.Mutex.Lock", "sync.RWMutex.Lock",
    "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait", "chan send (nil chan)",
    "chan receive (nil chan)", "select (no cases)",
  ]

  /// Takes a frame: `main.collect(0xc00009c060, 0x3)`, or the position on the line below: a tab,
  /// `/src/collect.go:41 +0x11d`.
  private mutating func take(_ line: Substring) -> Bool {
    if line.hasPrefix("\t") || line.hasPrefix("    "), let name = pending {
      let position = line.trimmed.split(separator: " ").first ?? ""
      guard let frame = Self.frame(name, at: position) else { return false }
      pending = nil
      return report.add(frame)
    }
    pending = nil
    var text = line.trimmed[...]
    if text.hasPrefix("created by ") {
      text = text.dropFirst(11)
      if let goroutine = text.range(of: " in goroutine ") { text = text[..<goroutine.lowerBound] }
      pending = text
      return true
    }
    guard text.hasSuffix(")"), let open = Self.arguments(of: text), open > text.startIndex,
      text[..<open].contains("."), !text[..<open].contains(" ")
    else { return text.hasPrefix("exit status") || text.hasPrefix("...") }
    pending = text[..<open]
    return true
  }

  /// The start of the arguments. The name may contain parentheses, as in `sync.(*Mutex).Lock(...)`.
  private static func arguments(of text: Substring) -> Substring.Index? {
    var depth = 0
    for place in text.indices.reversed() {
      if text[place] == ")" { depth += 1 }
      if text[place] == "(" {
        depth -= 1
        if depth == 0 { return place }
      }
    }
    return nil
  }

  private static func package(of name: Substring) -> String {
    let path = name.split(separator: "/", omittingEmptySubsequences: false)
    let last = path.last.map { $0.prefix { $0 != "." } } ?? ""
    return (path.dropLast().map(String.init) + [String(last)]).joined(separator: "/")
  }

  /// True if a function belongs to Go's standard library or to a dependency.
  private static func isLibrary(_ frame: CrashReport.Frame) -> Bool {
    let file = frame.file ?? ""
    let module = frame.image.prefix { $0 != "/" }
    return file.contains("/pkg/mod/") || file.contains("/vendor/")
      || standard.contains(String(module))
  }

  /// The first parts of the import paths of Go's standard library. The path of a source does not
  /// identify the library, because a program may be built below `/go/src`, too.
  private static let standard: Set<String> = [
    "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database",
    "debug", "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image",
    "index", "internal", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin",
    "reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync",
    "syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "weak",
  ]

  /// The frame of a function at a position: `/src/collect.go:41`.
  static func frame(_ name: Substring, at position: Substring) -> CrashReport.Frame? {
    guard let position = SourcePosition(position) else { return nil }
    var frame = CrashReport.Frame(
      symbol: String(name), image: package(of: name), file: position.file, line: position.line)
    frame.isOwn = !isLibrary(frame)
    return frame
  }

  /// True if a goroutine that waits for a semaphore waits for a mutex. A wait group also uses a
  /// semaphore.
  private func isLocked(_ place: Int) -> Bool {
    report.threads[place].frames.prefix(6).contains { frame in
      ["sync.(*Mutex).", "sync.(*RWMutex).", "sync.Mutex.", "sync.RWMutex."].contains(
        where: frame.symbol.hasPrefix)
    }
  }

  private mutating func finish(_ said: (type: String, text: String)?) -> CrashReport? {
    guard let first = report.threads.first,
      report.threads.contains(where: { $0.frames.contains { $0.file != nil } })
    else { return nil }
    let isAsleep = said?.text.contains("all goroutines are asleep") ?? false
    if isAsleep {
      report.standstill = "No goroutine could continue: all goroutines are asleep"
    } else if let said, said.type != "panic", let long = waited.keys.sorted().first(where: isLocked)
    {
      report.standstill =
        "Goroutine \(report.threads[long].number) had waited for a lock for \(waited[long] ?? "")"
    }
    // A dump requested by SIGQUIT shows blocked goroutines, with the duration of each wait.
    if let said, said.type != "SIGQUIT", !isAsleep {
      report.failure = CrashReport.Failure(
        type: said.type, texts: [said.text], thread: first.number)
    }
    return report
  }
}
