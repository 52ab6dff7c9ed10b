import IncidentModel

/// Reads MetricKit's call stack trees, alone or in a payload of diagnostics.
struct MetricKit {
  static func recognises(_ json: JSON) -> Bool {
    json["callStacks"]?.isArray == true || json["callStackTree"] != nil
      || (["crashDiagnostics"] + others).contains { json[$0]?.isArray == true }
  }

  /// What else a payload of diagnostics may hold: no crashes.
  private static let others = [
    "hangDiagnostics", "cpuExceptionDiagnostics", "diskWriteExceptionDiagnostics",
    "appLaunchDiagnostics",
  ]

  static func read(_ json: JSON) -> [CrashReport] {
    if let crashes = json["crashDiagnostics"]?.array, !crashes.isEmpty {
      return crashes.map(report)
    }
    let rest = others.flatMap { json[$0]?.array ?? [] }
    if !rest.isEmpty { return rest.map(bare) }
    return [report(json)]
  }

  /// The stacks of what is no crash.
  private static func bare(_ json: JSON) -> CrashReport {
    var report = report(json)
    report.failure = nil
    return report
  }

  private static func report(_ json: JSON) -> CrashReport {
    var report = CrashReport(.metricKit)
    let stacks = json["callStackTree"]?["callStacks"] ?? json["callStacks"]
    report.threads = (stacks?.array ?? []).prefix(4096).enumerated().map { place, stack in
      var thread = CrashReport.Thread(number: place)
      thread.frames = frames(stack["callStackRootFrames"]?.array.first)
      return thread
    }
    guard let meta = json["diagnosticMetaData"] else { return report }
    report.process = meta["bundleIdentifier"]?.string ?? ""
    report.processID = meta["pid"]?.integer ?? 0
    var failure = CrashReport.Failure()
    failure.signal = meta["signal"]?.integer.map(SignalName.ofApple) ?? ""
    failure.texts = [
      meta["objectiveCexceptionReason"]?["composedMessage"]?.string,
      meta["terminationReason"]?.string,
    ].compactMap(\.self)
    failure.type = meta["objectiveCexceptionReason"]?["exceptionName"]?.string ?? ""
    failure.thread = (stacks?.array ?? []).firstIndex { $0["threadAttributed"]?.boolean == true }
    report.failure = failure
    return report
  }

  private static func frames(_ root: JSON?) -> [CrashReport.Frame] {
    var frames: [CrashReport.Frame] = []
    var next = root
    while let json = next, frames.count < 1024 {
      let image = json.first("binaryName", "binaryUUID")?.string ?? ""
      let address = json["address"]?.address ?? json["offsetIntoBinaryTextSegment"]?.address ?? 0
      frames.append(CrashReport.Frame(image: image, address: address))
      next = json["subFrames"]?.array.first
    }
    return frames
  }
}
