import IncidentModel

/// Reads Android's tombstone of a process that died in native code, from its file or from logcat.
enum TombstoneReport {
  static let needles = [", tid: "]
  private static let reach = 160

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let subject = Subject(line), !Messages.isLiteral(line) else { return nil }
    var failure = CrashReport.Failure(thread: subject.thread)
    var thread = CrashReport.Thread(
      number: subject.thread, id: subject.thread, name: subject.name,
      isMain: subject.thread == subject.process)
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + reach) {
      text.search.lines += 1
      let line = text.lines[place].text
      if let frame = frame(line, of: subject.package) {
        thread.frames.append(frame)
        end = place + 1
      } else if !thread.frames.isEmpty || Subject(line) != nil {
        break
      } else if let mark = line.range(of: "signal "), failure.signal.isEmpty {
        note(line[mark.upperBound...], in: &failure)
      } else if let mark = line.range(of: "Abort message: ") {
        failure.texts.insert(line[mark.upperBound...].trimmedOf("' "), at: 0)
      } else if let mark = line.range(of: "Cause: ") {
        failure.texts.append(line[mark.upperBound...].trimmed)
      }
    }
    guard !failure.signal.isEmpty, !thread.frames.isEmpty else { return nil }
    var report = CrashReport(.androidTombstone)
    (report.process, report.processID) = (subject.package, subject.process)
    report.package = subject.package
    report.threads = [thread]
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text, process: subject.process)
    return (report, end)
  }

  /// Parses `pid: 4242, tid: 4260, name: AudioTrack  >>> org.loom.board <<<`.
  private struct Subject {
    var process: Int
    var thread: Int
    var name: String
    var package: String

    init?(_ line: String) {
      guard let pid = line.range(of: "pid: "), let tid = line.range(of: ", tid: "),
        let name = line.range(of: ", name: "), let open = line.range(of: ">>> "),
        let close = line.range(of: " <<<"), name.upperBound < open.lowerBound,
        open.upperBound < close.lowerBound,
        let process = Int(line[pid.upperBound...].prefix(while: \.isNumber)),
        let thread = Int(line[tid.upperBound...].prefix(while: \.isNumber))
      else { return nil }
      (self.process, self.thread) = (process, thread)
      self.name = line[name.upperBound..<open.lowerBound].trimmed
      package = line[open.upperBound..<close.lowerBound].trimmed
    }
  }

  /// Parses `11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x18`.
  private static func note(_ text: Substring, in failure: inout CrashReport.Failure) {
    guard let open = text.range(of: " (SIG"),
      let close = text[open.upperBound...].firstIndex(of: ")")
    else { return }
    failure.signal = "SIG" + text[open.upperBound..<close]
    guard let mark = text.range(of: "fault addr 0x") else { return }
    failure.address = UInt64(text[mark.upperBound...].prefix(while: \.isHexDigit), radix: 16)
  }

  /// Parses `#01 pc 000000000001f2a4  /data/app/…/lib/arm64/libloom.so (loom::Mixer::pull(int)+88)
  /// (BuildId: …)`.
  private static func frame(_ line: String, of package: String) -> CrashReport.Frame? {
    guard let pc = line.range(of: " pc "), let sign = line[..<pc.lowerBound].lastIndex(of: "#"),
      Int(line[line.index(after: sign)..<pc.lowerBound]) != nil
    else { return nil }
    let parts = line[pc.upperBound...].split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let address = UInt64(parts[0], radix: 16) else { return nil }
    let rest = parts[1].trimmed
    let path = String(rest.prefix { $0 != " " })
    var frame = CrashReport.Frame(path: path, address: address)
    frame.image = path.split { $0 == "/" || $0 == "!" }.last.map(String.init) ?? path
    if let open = rest.range(of: " ("), let plus = rest.lastRange(of: "+"),
      open.upperBound < plus.lowerBound,
      !rest[open.upperBound...].hasPrefix("BuildId")
    {
      frame.symbol = String(rest[open.upperBound..<plus.lowerBound])
    }
    frame.isOwn =
      (path.hasPrefix("/data/") || path.contains(package)) && !runtimes.contains(frame.image)
      && !frame.symbol.hasPrefix("il2cpp")
    return frame
  }

  /// Runtime libraries that applications bundle. A Unity program's own C# code is in
  /// `libil2cpp.so`, which is not listed.
  private static let runtimes: Set<String> = [
    "libflutter.so", "libunity.so", "libmono.so", "libmonosgen-2.0.so",
    "libreactnative.so", "libhermes.so", "libjsc.so", "libc++_shared.so", "libmonochrome.so",
    "libcrashlytics.so", "libsentry.so", "libgodot_android.so",
  ]
}
