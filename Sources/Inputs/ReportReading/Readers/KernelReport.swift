import IncidentModel

/// Reads the Linux kernel's log messages about a death: a kernel fault, or a process that the OOM
/// killer ended.
enum KernelReport {
  static let needles = ["ut of memory: Kill"] + faults
  private static let faults = [
    "BUG: kernel NULL pointer dereference", "BUG: unable to handle ", "kernel BUG at ",
    "Unable to handle kernel ", "general protection fault",
  ]
  private static let reach = 120

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    let mark = needles.lazy.compactMap { line.range(of: $0) }.first
    // The needle omits the start of `Out of memory` and `Memory cgroup out of memory`, which both
    // contain it.
    let place = mark.map { mark in
      ["Memory cgroup out", "Out"].lazy.compactMap { line.range(of: $0)?.lowerBound }
        .first { $0 < mark.lowerBound } ?? mark.lowerBound
    }
    guard let place, Messages.stands(at: place, in: line) else { return nil }
    return killed(line, text) ?? oops(line, text)
  }

  /// Parses `Out of memory: Killed process 4242 (pierd) total-vm:…, anon-rss:…`. The line that
  /// names the allocating process is far above it.
  private static func killed(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard let mark = line.range(of: needles[0]), let process = line.range(of: " process "),
      mark.upperBound <= process.upperBound,
      let open = line[process.upperBound...].range(of: " ("),
      let id = Int(line[process.upperBound..<open.lowerBound].prefix(while: \.isNumber)),
      let close = line[open.upperBound...].firstIndex(of: ")")
    else { return nil }
    let name = String(line[open.upperBound..<close])
    var report = CrashReport(.kernelLog)
    (report.process, report.processID) = (name, id)
    var said = "the kernel killed “\(name)”, process \(id)"
    if let size = line.range(of: "anon-rss:")?.upperBound,
      let kilobytes = Int(line[size...].prefix(while: \.isNumber))
    {
      said += ", which held \(kilobytes / 1024) MB"
    }
    let isOfGroup = line.contains("Memory cgroup")
    report.failure = CrashReport.Failure(
      type: isOfGroup ? "out of memory of its control group" : "out of memory",
      signal: "SIGKILL", texts: [said])
    return (report, text.middle + 1)
  }

  /// Parses `BUG: kernel NULL pointer dereference, address: …`, then the process, the code address,
  /// and the call trace.
  private static func oops(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard let mark = faults.compactMap({ line.range(of: $0) }).first else { return nil }
    let said = line[mark.lowerBound...].trimmed
    var report = CrashReport(.kernelLog)
    var thread = CrashReport.Thread(number: CrashReport.unknownThread)
    var (end, isTrace) = (text.middle + 1, false)
    for place in end..<min(text.lines.count, end + reach) {
      text.search.lines += 1
      let line = text.lines[place].text
      if line.contains("---[ end trace") {
        end = place + 1
        break
      }
      if let mark = line.range(of: " PID: "), let comm = line.range(of: " Comm: ") {
        report.processID = Int(line[mark.upperBound...].prefix(while: \.isNumber)) ?? 0
        thread.name = String(line[comm.upperBound...].prefix { $0 != " " })
      } else if let mark = line.range(of: "RIP: ") ?? line.range(of: "pc : "), !isTrace {
        let place = line[mark.upperBound...].trimmed
        let bare = place.range(of: ":").map { place[$0.upperBound...].trimmed } ?? place
        if thread.frames.isEmpty, let frame = frame(bare) { thread.frames = [frame] }
      } else if line.contains("Call Trace:") || line.contains("Call trace:") {
        isTrace = true
      } else if isTrace, let frame = frame(lastPart(of: line)) {
        thread.frames.append(frame)
        end = place + 1
      }
    }
    guard !thread.frames.isEmpty else { return nil }
    // A kernel thread such as `kworker/2:3` is no program.
    report.process = thread.name.contains("/") ? "" : thread.name
    thread.id = report.processID
    report.threads = [thread]
    report.failure = CrashReport.Failure(
      type: "kernel oops", texts: [said], thread: CrashReport.unknownThread)
    return (report, end)
  }

  /// The text after the time and the log prefix: `pier_poll+0x2c/0x90 [pier]` for `[  512.100] host
  /// kernel:  pier_poll+0x2c/0x90 [pier]`.
  static func lastPart(of line: String) -> String {
    let words = line.split(separator: " ")
    guard let place = words.lastIndex(where: { $0.contains("+0x") }) else { return "" }
    // A question mark precedes a stale address on the stack.
    if place > 0, words[place - 1] == "?" { return "" }
    return words[place...].joined(separator: " ")
  }

  /// Parses `pier_poll+0x2c/0x90 [pier]`. The module belongs to the driver; without a module the
  /// function belongs to the kernel.
  static func frame(_ text: String) -> CrashReport.Frame? {
    guard let plus = text.range(of: "+0x"), text[plus.upperBound...].contains("/0x") else {
      return nil
    }
    let name = text[..<plus.lowerBound]
    guard !name.isEmpty, !name.contains(" ") else { return nil }
    var frame = CrashReport.Frame(symbol: String(name), image: "kernel", isOwn: false)
    let words = text.split(separator: " ")
    if words.count > 1, words[1].hasPrefix("[") {
      frame.image = words[1].trimmedOf("[]")
      frame.isOwn = true
    }
    return frame
  }
}
