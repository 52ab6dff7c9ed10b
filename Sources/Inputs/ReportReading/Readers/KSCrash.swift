import IncidentModel

/// Reads reports of KSCrash and of recorders derived from KSCrash.
struct KSCrash {
  private let json: JSON

  static func recognises(_ json: JSON) -> Bool {
    json["crash"]?.first("error", "threads") != nil || json["recrash_report"]?["crash"] != nil
      || (json["report"]?["process_name"] != nil && json["binary_images"] != nil)
  }

  /// The report, and the report of a second crash in the handler that wrote the first one.
  static func read(_ json: JSON) -> [CrashReport] {
    let again = json["recrash_report"].flatMap { $0["crash"] == nil ? nil : KSCrash(json: $0) }
    let here = KSCrash(json: json)
    guard let again else { return [here.report()] }
    // Each report can be nested in the other. The report with all threads is the first crash.
    let isFirst = again.threads.count <= here.threads.count
    return (isFirst ? [here, again] : [again, here]).map { $0.report() }
  }

  private var threads: [JSON] {
    let crash = json["crash"]
    return crash?["threads"]?.array ?? [crash?["crashed_thread"]].compactMap(\.self)
  }

  private func report() -> CrashReport {
    var report = CrashReport(format)
    let system = json["system"]
    report.process =
      json["report"]?["process_name"]?.string ?? system?["process_name"]?.string ?? ""
    report.processID = system?["process_id"]?.integer ?? 0
    report.ownImages = Set([
      report.process, system?["CFBundleExecutable"]?.string ?? report.process,
    ])
    report.wall = WallClock.nanoseconds(json["report"]?["timestamp"]) ?? 0
    let threads = threads
    report.threads = threads.prefix(4096).enumerated().map(thread)
    let crashed = threads.firstIndex { $0["crashed"]?.boolean == true }
    report.failure = failure(crashed.flatMap(report.number(ofThreadAt:)))
    if json["crash"]?["error"]?["type"]?.string == "deadlock" {
      report.hang = report.threads.first { $0.isMain == true }.map { .init(thread: $0.number) }
    }
    report.crumbs = Sentry.crumbs(json)
    if system?["application_stats"]?["application_in_foreground"]?.boolean == false,
      report.crumbs.last(where: { $0.kind == .lifecycle }) == nil
    {
      report.isInBackground = true
    }
    return report
  }

  /// The format of a KSCrash-derived recorder.
  private var format: ForeignFormat {
    let user = json["user"]
    let isSentry =
      json["sentry_sdk_scope"] != nil
      || user?.first("event_tags", "breadcrumbs", "tags", "breadcrumbs_serialized") != nil
    if isSentry { return .sentry }
    return user?["handledState"] != nil ? .bugsnag : .kscrash
  }

  private func thread(_ place: Int, _ json: JSON) -> CrashReport.Thread {
    var thread = CrashReport.Thread(number: json["index"]?.integer ?? place)
    thread.name = json["name"]?.string ?? ""
    thread.queue = json["dispatch_queue"]?.string
    thread.isMain = MainThread.isMain(number: thread.number, queue: thread.queue)
    thread.frames = (json["backtrace"]?["contents"]?.array ?? []).prefix(1024).map { json in
      var frame = CrashReport.Frame()
      frame.symbol = json["symbol_name"]?.string ?? ""
      frame.path = json["object_name"]?.string ?? ""
      frame.image = frame.path.split(separator: "/").last.map(String.init) ?? ""
      frame.address = json["instruction_addr"]?.address ?? 0
      return frame
    }
    return thread
  }

  private func failure(_ thread: Int?) -> CrashReport.Failure? {
    guard let error = json["crash"]?["error"] else { return nil }
    var failure = CrashReport.Failure(thread: thread)
    let named = error["nsexception"] ?? error["cpp_exception"] ?? error["user_reported"]
    failure.signal = error["signal"]?["name"]?.string ?? ""
    failure.type = named?["name"]?.string ?? error["mach"]?["exception_name"]?.string ?? ""
    failure.texts = [named?["reason"]?.string, error["reason"]?.string].compactMap(\.self)
    failure.texts += [json["crash"]?["diagnosis"]?.string].compactMap(\.self)
    failure.address = error["address"]?.address
    failure.isFatal = error["type"]?.string != "user"
    return failure
  }
}
