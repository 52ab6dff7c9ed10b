import IncidentModel

/// Reads rows of Crashlytics' BigQuery export, as written by `bq --format=json` and by the
/// console's download.
struct CrashlyticsExport {
  private let row: JSON

  /// True if a document is a row of the export.
  static func recognises(_ json: JSON) -> Bool {
    guard json.first("issue_id", "event_id", "bundle_identifier") != nil,
      json["error_type"] != nil || json["is_fatal"] != nil || json["crashlytics_sdk_version"] != nil
    else { return false }
    return ["exceptions", "threads"].contains { json[$0]?.array.first?["frames"] != nil }
  }

  static func read(_ json: JSON) -> CrashReport { CrashlyticsExport(row: json).report() }

  private func report() -> CrashReport {
    var report = CrashReport(.crashlyticsExport)
    report.process = row["bundle_identifier"]?.string ?? ""
    report.wall = WallClock.nanoseconds(row["event_timestamp"]) ?? 0
    let threads = row["threads"]?.array ?? []
    report.threads = threads.prefix(4096).enumerated().map { place, json in
      var thread = CrashReport.Thread(number: place)
      thread.name = json["thread_name"]?.string ?? ""
      thread.queue = json["queue_name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      thread.isMain = isMain(thread)
      thread.frames = frames(json["frames"])
      return thread
    }
    report.crumbs = (row["breadcrumbs"]?.array ?? []).suffix(10_000).map { json in
      CrumbReading.crumb(
        category: "log", message: json["name"]?.string ?? "", type: "",
        data: (json["params"]?.array ?? []).compactMap { pair in
          guard let key = pair["key"]?.string, let value = pair["value"]?.text else { return nil }
          return (key, value)
        },
        wall: WallClock.nanoseconds(json["timestamp"]))
    }
    let crashed = threads.firstIndex { $0["crashed"]?.boolean ?? ($0["crashed"]?.string == "true") }
    let isANR = row["error_type"]?.string == "ANR"
    report.failure = failure(crashed.flatMap(report.number(ofThreadAt:)), threads)
    if isANR { report.takeHang() }
    return report
  }

  /// True if the thread is the main one, by its queue or else by its name. The order of threads in
  /// a row has no meaning.
  private func isMain(_ thread: CrashReport.Thread) -> Bool? {
    if let queue = thread.queue { return MainThread.isMain(queue: queue) }
    return thread.name.isEmpty
      ? nil : thread.name == "main" || MainThread.isMain(queue: thread.name)
  }

  private func failure(_ thread: Int?, _ threads: [JSON]) -> CrashReport.Failure? {
    var failure = CrashReport.Failure(thread: thread)
    let type = row["error_type"]?.string
    failure.isFatal = type.map { $0 == "FATAL" } ?? (row["is_fatal"]?.text != "false")
    let exceptions = row["exceptions"]?.array ?? []
    if let exception = exceptions.first(where: { $0["blamed"]?.text == "true" }) ?? exceptions.first
    {
      failure.type = exception["type"]?.string ?? ""
      let texts = [exception["exception_message"]?.string, exception["subtitle"]?.string]
      failure.texts = texts.compactMap(\.self).filter { !$0.isEmpty }
      failure.thrown = frames(exception["frames"])
    } else if let place = threads.firstIndex(where: { $0["crashed"]?.text == "true" }) {
      failure.signal = threads[place]["signal_name"]?.string ?? ""
      failure.type = failure.signal
    } else {
      return nil
    }
    return failure
  }

  private func frames(_ json: JSON?) -> [CrashReport.Frame] {
    (json?.array ?? []).prefix(1024).map { json in
      var frame = CrashReport.Frame()
      frame.symbol = json["symbol"]?.string ?? ""
      frame.image = json["library"]?.string ?? ""
      frame.address = json["address"]?.integer.map { UInt64(bitPattern: Int64($0)) } ?? 0
      frame.file = json["file"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      frame.line = json["line"]?.integer.flatMap { $0 > 0 ? $0 : nil }
      frame.isOwn = json["owner"]?.string.map { $0 == "DEVELOPER" }
      return frame
    }
  }
}
