import IncidentModel

/// Reads MetricKit's call stack trees, alone or in a payload of diagnostics.
struct MetricKit {
  static func recognises(_ json: JSON) -> Bool {
    json["callStacks"]?.isArray == true || json["callStackTree"] != nil
      || (["crashDiagnostics", "hangDiagnostics"] + others).contains { json[$0]?.isArray == true }
  }

  /// The diagnostics that are neither crashes nor hangs.
  private static let others = [
    "cpuExceptionDiagnostics", "diskWriteExceptionDiagnostics", "appLaunchDiagnostics",
  ]

  static func read(_ json: JSON) -> [CrashReport] {
    let failures =
      (json["crashDiagnostics"]?.array ?? []).map(report)
      + (json["hangDiagnostics"]?.array ?? []).map(hang)
    if !failures.isEmpty { return failures }
    let rest = others.flatMap { json[$0]?.array ?? [] }
    if !rest.isEmpty { return rest.map(bare) }
    return [json["diagnosticMetaData"]?["hangDuration"] == nil ? report(json) : hang(json)]
  }

  /// The stacks of a diagnostic that is no crash.
  private static func bare(_ json: JSON) -> CrashReport {
    var report = report(json)
    report.failure = nil
    return report
  }

  /// A main thread that did not respond: the thread that the system names, or the only thread.
  private static func hang(_ json: JSON) -> CrashReport {
    var report = bare(json)
    let stacks = (json["callStackTree"]?["callStacks"] ?? json["callStacks"])?.array ?? []
    let named = stacks.firstIndex { $0["threadAttributed"]?.boolean == true }
    guard let place = named ?? (stacks.count == 1 ? 0 : nil), report.threads.indices.contains(place)
    else { return report }
    report.threads[place].isMain = true
    var hang = CrashReport.Hang(thread: report.threads[place].number)
    hang.lasted = nanoseconds(json["diagnosticMetaData"]?["hangDuration"]?.text ?? "")
    report.hang = hang
    return report
  }

  /// The nanoseconds of a duration such as `20 sec` or `1,500 ms`.
  private static func nanoseconds(_ text: String) -> UInt64 {
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "," }
    let count = Double(digits.replacing(",", with: "")) ?? 0
    return WallClock.nanoseconds(seconds: text.hasSuffix("ms") ? count / 1000 : count)
  }

  private static func report(_ json: JSON) -> CrashReport {
    var report = CrashReport(.metricKit)
    let stacks = json["callStackTree"]?["callStacks"] ?? json["callStacks"]
    report.threads = (stacks?.array ?? []).prefix(4096).enumerated().map { place, stack in
      var thread = CrashReport.Thread(number: place)
      thread.frames = frames(stack["callStackRootFrames"]?.array ?? [])
      // Only the main thread's outermost frame is in the loader.
      if thread.frames.last.map({ beginnings.contains($0.image) }) == true { thread.isMain = true }
      return thread
    }
    guard let meta = json["diagnosticMetaData"] else { return report }
    report.process = meta["bundleIdentifier"]?.string ?? ""
    report.processID = meta["pid"]?.integer ?? 0
    var failure = CrashReport.Failure()
    failure.signal = meta["signal"]?.integer.map(SignalName.ofApple) ?? ""
    let reason = meta["objectiveCexceptionReason"] ?? meta["exceptionReason"]
    failure.texts = [
      reason?["composedMessage"]?.string ?? reason?["formatString"]?.string ?? reason?.string,
      meta["terminationReason"]?.string,
    ].compactMap(\.self)
    failure.type = reason?.first("exceptionName", "className")?.string ?? ""
    failure.thread = (stacks?.array ?? []).firstIndex { $0["threadAttributed"]?.boolean == true }
    report.failure = failure
    return report
  }

  /// The most frequent path of the tree, innermost frame first.
  private static func frames(_ roots: [JSON]) -> [CrashReport.Frame] {
    var frames: [CrashReport.Frame] = []
    var next = mostSeen(roots)
    while let json = next, frames.count < 1024 {
      let image = json.first("binaryName", "binaryUUID")?.string ?? ""
      let address = json["address"]?.address ?? json["offsetIntoBinaryTextSegment"]?.address ?? 0
      let symbol = json.first("symbolName", "symbol")?.string ?? ""
      frames.append(CrashReport.Frame(symbol: symbol, image: image, address: address))
      next = mostSeen(json["subFrames"]?.array ?? [])
    }
    // A tree of samples has the process entry at its root; a crash stack has the innermost frame
    // there.
    let isOutermostFirst =
      frames.first.map { beginnings.contains($0.image) } ?? false
      && !beginnings.contains(frames.last?.image ?? "")
    return isOutermostFirst ? frames.reversed() : frames
  }

  private static let beginnings: Set<String> = ["dyld", "libdyld.dylib"]

  private static func mostSeen(_ frames: [JSON]) -> JSON? {
    guard frames.count > 1 else { return frames.first }
    let counts = frames.map { $0["sampleCount"]?.integer ?? 0 }
    return counts.max().flatMap(counts.firstIndex(of:)).map { frames[$0] }
  }
}
