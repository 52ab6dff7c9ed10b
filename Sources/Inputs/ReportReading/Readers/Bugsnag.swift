import IncidentModel

/// Reads Bugsnag events, as notifiers send them and as the service exports them, and single
/// breadcrumbs from the notifiers' files.
struct Bugsnag {
  private let event: JSON

  static func recognises(_ json: JSON) -> Bool {
    if json["exceptions"]?.isArray == true { return true }
    if json["events"]?.array.first?["exceptions"] != nil { return true }
    return isCrumb(json)
  }

  private static func isCrumb(_ json: JSON) -> Bool {
    json["timestamp"]?.string != nil && json["name"]?.string != nil && json["type"]?.string != nil
      && json["exceptions"] == nil && json["metaData"] != nil
  }

  static func read(_ json: JSON) -> [CrashReport] {
    if let events = json["events"]?.array { return events.map { Bugsnag(event: $0).report() } }
    guard isCrumb(json) else { return [Bugsnag(event: json).report()] }
    var report = CrashReport(.bugsnag)
    report.crumbs = [crumb(json)]
    return [report]
  }

  private func report() -> CrashReport {
    var report = CrashReport(.bugsnag)
    let app = event["app"]
    report.process =
      event.first("metaData", "meta_data")?["app"]?["name"]?.string ?? app?["id"]?.string ?? ""
    report.package = app?["id"]?.string ?? ""
    report.ownImages = Set([report.process].filter { !$0.isEmpty })
    report.threads = (event["threads"]?.array ?? []).prefix(4096).enumerated().map(thread)
    report.crumbs = (event["breadcrumbs"]?.array ?? []).suffix(10_000).map(Self.crumb)
    report.wall = (event["device"]?["time"]?.string).flatMap(WallClock.nanoseconds) ?? 0
    report.failure = failure(report)
    if ["App Hang", "ANR"].contains(report.failure?.type) { report.takeHang() }
    if app?.first("inForeground", "in_foreground")?.boolean == false,
      report.crumbs.last(where: { $0.kind == .lifecycle }) == nil
    {
      report.isInBackground = true
    }
    return report
  }

  private func thread(_ place: Int, _ json: JSON) -> CrashReport.Thread {
    var thread = CrashReport.Thread(number: json["id"]?.integer ?? place)
    let name = json["name"]?.string ?? ""
    if name.contains(".") { thread.queue = name } else { thread.name = name }
    thread.id = thread.number
    // Other platforms use system thread ids, which do not identify the main thread.
    let isCocoa = json["type"]?.string.map { $0 == "cocoa" } ?? true
    thread.isMain =
      isCocoa
      ? MainThread.isMain(number: thread.number, queue: thread.queue) : name == "main" ? true : nil
    thread.frames = frames(json["stacktrace"])
    return thread
  }

  private func frames(_ json: JSON?) -> [CrashReport.Frame] {
    (json?.array ?? []).prefix(1024).map { json in
      var frame = CrashReport.Frame()
      frame.symbol = json["method"]?.string ?? ""
      let path = json.first("machoFile", "macho_file", "file")?.string ?? ""
      frame.path = path
      frame.image = path.split(separator: "/").last.map(String.init) ?? ""
      let address = json.first("frameAddress", "frame_address")
      frame.address = address?.address ?? 0
      if json.first("machoFile", "macho_file") == nil, address == nil {
        frame.file = path
        frame.isManaged =
          frame.symbol.prefix { $0 != "(" }.utf8.lazy.filter { $0 == UInt8(ascii: ".") }.count > 1
      }
      frame.line = frame.file == nil ? nil : json.first("lineNumber", "line_number")?.integer
      frame.isOwn = json.first("inProject", "in_project")?.boolean
      return frame
    }
  }

  private func failure(_ report: CrashReport) -> CrashReport.Failure? {
    guard let exception = event["exceptions"]?.array.first else { return nil }
    var failure = CrashReport.Failure()
    failure.type = exception.first("errorClass", "error_class")?.string ?? ""
    if failure.type.hasPrefix("SIG") { failure.signal = failure.type }
    failure.texts = [exception["message"]?.string].compactMap(\.self).filter { !$0.isEmpty }
    failure.thrown = frames(exception["stacktrace"])
    failure.isFatal = event["unhandled"]?.boolean ?? false
    let place = (event["threads"]?.array ?? []).firstIndex {
      $0.first("errorReportingThread", "error_reporting_thread")?.boolean == true
    }
    failure.thread = place.flatMap(report.number(ofThreadAt:))
    return failure
  }

  private static func crumb(_ json: JSON) -> CrashReport.Crumb {
    CrumbReading.crumb(
      category: json["type"]?.string ?? "", message: json["name"]?.string ?? "",
      type: json["type"]?.string ?? "",
      data: (json["metaData"]?.members ?? []).compactMap { key, value in
        value.text.map { (key, $0) }
      },
      wall: WallClock.nanoseconds(json["timestamp"]))
  }
}
