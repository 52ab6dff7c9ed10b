import IncidentModel

/// Reads the output of Windows' debuggers: locks and the stacks of all threads, and the analysis of
/// a crash.
struct WinDbg {
  static let needles = ["CritSec ", "Child-SP ", "Exception Analysis", "STACK_TEXT:"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    let marks = ["CritSec ", "# Child-SP ", "Child-SP ", "*", "STACK_TEXT:"]
    guard needles.contains(where: line.contains), marks.contains(where: line.trimmed.hasPrefix),
      !Messages.isLiteral(line)
    else { return nil }
    var reader = WinDbg()
    // The headline of a thread is above the headline of its stack.
    var start = text.middle
    if start > 0, Self.thread(text.lines[start - 1].text) != nil { start -= 1 }
    reader.takeTitle(above: start, in: text)
    let end = reader.read(text, from: start)
    return reader.finish().map { ($0, end) }
  }

  private var report = CrashReport(.winDbg)
  private var failure = CrashReport.Failure()
  /// The owners of the locked critical sections.
  private var owners: [Int] = []
  private var isTold = false
  private var isAnalysis = false
  private var module = ""

  private mutating func takeTitle(above line: Int, in text: ConsoleText) {
    for line in text.lines[max(0, line - 30)...line].map(\.text) {
      if ["hang dump", "procdump -h", "-hang"].contains(where: line.contains) { isTold = true }
      if let mark = line.lastRange(of: ".exe") {
        let name = line[..<mark.lowerBound].split { " \\/\"'".contains($0) }.last
        report.process = name.map { "\($0).exe" } ?? ""
      }
    }
  }

  private mutating func read(_ text: ConsoleText, from start: Int) -> Int {
    max(text.read(from: start, most: 20_000, patience: 40) { take($0) }, text.middle + 1)
  }

  /// - Returns: true if the line belongs to the output; nil after the last thread that is read.
  private mutating func take(_ line: String) -> Bool? {
    let text = line.trimmed
    if text.contains("-hang") { isTold = true }
    if let thread = Self.thread(line) { return report.begin(thread) }
    if let frame = Self.frame(text) {
      if report.threads.isEmpty { report.threads.append(CrashReport.Thread(number: 0)) }
      return report.add(frame)
    }
    if text.hasPrefix("OwningThread") {
      if let owner = text.split(separator: " ").last.flatMap({ Int($0, radix: 16) }) {
        owners.append(owner)
      }
      return true
    }
    if text.contains("Exception Analysis") || text.hasPrefix("STACK_TEXT:") {
      isAnalysis = true
      return true
    }
    return Self.needles.contains(where: text.contains) || takeField(text)
  }

  private mutating func takeField(_ text: String) -> Bool {
    guard let colon = text.range(of: ":") else { return false }
    let value = text[colon.upperBound...].trimmed
    switch text[..<colon.lowerBound] {
    case "PROCESS_NAME": report.process = value
    case "MODULE_NAME": module = value
    case "EXCEPTION_CODE_STR": takeCode(value)
    case "ExceptionCode": takeCode(String(value.prefix { $0 != " " }))
    case "READ_ADDRESS", "WRITE_ADDRESS":
      failure.address = UInt64(value.replacing("`", with: "").prefix { $0 != " " }, radix: 16)
    case "FAULTING_THREAD":
      let id = Int(value.prefix { $0 != " " }, radix: 16) ?? 0
      report.threads.append(CrashReport.Thread(number: id, id: id))
    case "FAILURE_BUCKET_ID": failure.texts.append(value)
    default: return false
    }
    return true
  }

  private mutating func takeCode(_ code: String) {
    guard failure.type.isEmpty else { return }
    let names = [
      "c0000005": "EXCEPTION_ACCESS_VIOLATION", "c00000fd": "EXCEPTION_STACK_OVERFLOW",
      "c0000374": "STATUS_HEAP_CORRUPTION", "c0000409": "STATUS_STACK_BUFFER_OVERRUN",
      "c0000094": "EXCEPTION_INT_DIVIDE_BY_ZERO", "e06d7363": "C++ exception",
      "80000003": "EXCEPTION_BREAKPOINT",
    ]
    let bare = code.hasPrefix("0x") ? String(code.dropFirst(2)) : code
    failure.type = names[bare.lowercased()] ?? "exception \(bare)"
    failure.signal = bare == "c0000005" ? "SIGSEGV" : ""
  }

  /// Parses `.  0  Id: 1b30.2a08 Suspend: 0 Teb: 000000d1`f6a21000 Unfrozen "name"`.
  private static func thread(_ line: String) -> CrashReport.Thread? {
    guard let mark = line.range(of: " Id: "), line.contains(" Suspend: "),
      let number = Int(line[..<mark.lowerBound].trimmedOf(" .#")),
      let dot = line[mark.upperBound...].firstIndex(of: "."),
      let id = Int(line[line.index(after: dot)...].prefix { $0 != " " }, radix: 16)
    else { return nil }
    let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
    return CrashReport.Thread(
      number: number, id: id, name: quoted.count >= 3 ? String(quoted[1]) : "", isMain: number == 0)
  }

  /// Parses `03 000000d1`f68fea90 00007ff6`3c0b44f0     kasse!Drucker::Queue+0x32 [C:\src\d.cpp @
  /// 118]`, with the arguments between colons if the command printed them.
  private static func frame(_ text: String) -> CrashReport.Frame? {
    guard let bang = text.range(of: "!"),
      let start = text[..<bang.lowerBound].lastIndex(of: " ").map(text.index(after:)),
      start < bang.lowerBound,
      text[..<start].split(separator: " ").contains(where: isAddress)
    else { return nil }
    var frame = CrashReport.Frame(image: String(text[start..<bang.lowerBound]))
    var symbol = text[bang.upperBound...]
    if let open = symbol.range(of: " ["), symbol.hasSuffix("]") {
      if let place = SourcePosition(windows: symbol[open.upperBound...].dropLast()) {
        frame.take(place)
      }
      symbol = symbol[..<open.lowerBound]
    }
    if let plus = symbol.lastRange(of: "+0x") { symbol = symbol[..<plus.lowerBound] }
    frame.symbol = symbol.trimmed
    return frame
  }

  private static func isAddress(_ word: Substring) -> Bool {
    word.count >= 8 && word.allSatisfy { $0.isHexDigit || $0 == "`" }
  }

  private mutating func finish() -> CrashReport? {
    report.threads.removeAll { $0.frames.isEmpty }
    guard !report.threads.isEmpty else { return nil }
    for thread in report.threads.indices {
      for place in report.threads[thread].frames.indices {
        mark(&report.threads[thread].frames[place])
      }
    }
    if isAnalysis, !isTold {
      guard !failure.type.isEmpty || !module.isEmpty else { return nil }
      if failure.type.isEmpty { failure.type = "exception" }
      failure.thread = report.threads[report.threads.count - 1].number
      report.failure = failure
      return report
    }
    for place in report.threads.indices { report.threads[place].waitsFor = owner(place) }
    if let main = report.threads.first(where: { $0.isMain == true }) {
      report.hang = CrashReport.Hang(thread: main.number, isTold: isTold)
    }
    report.hasUntoldLocks = report.threads.count > 1 && owners.isEmpty
    return report
  }

  /// The thread that owns the critical section for which a thread waits. The stack does not name the
  /// section, so the owner is known only if one other thread owns a section.
  private func owner(_ place: Int) -> Int? {
    let thread = report.threads[place]
    guard thread.frames.prefix(4).contains(where: { WaitFunctions.isLock($0.symbol) }) else {
      return nil
    }
    let others = Set(owners.filter { $0 != thread.id })
    guard others.count == 1 else { return nil }
    return report.threads.first { others.contains($0.id) }?.number
  }

  private func mark(_ frame: inout CrashReport.Frame) {
    let program = report.process.split(separator: ".").first.map { $0.lowercased() } ?? ""
    let image = frame.image.lowercased()
    frame.isOwn =
      image == program || frame.file != nil && !isLibrary(frame.file ?? "")
      || program.isEmpty && !Self.system.contains(where: image.hasPrefix)
  }

  /// True for the sources of Microsoft's runtime libraries.
  private func isLibrary(_ file: String) -> Bool {
    let file = file.lowercased()
    return ["\\crt\\", "\\vctools\\", "minkernel", "\\vcstartup\\", "onecore"].contains(
      where: file.contains)
  }

  private static let system = [
    "ntdll", "kernel", "user32", "win32u", "combase", "ucrtbase", "vcruntime", "msvc", "gdi32",
    "clr", "coreclr", "mscor", "d3d", "dxgi", "nv", "amd", "ig", "rpcrt4", "ole32", "ws2_32",
    "mswsock", "wow64", "verifier", "comctl32", "shell32",
  ]
}
