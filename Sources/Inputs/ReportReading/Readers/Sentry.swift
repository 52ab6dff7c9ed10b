import IncidentModel
import CLogFormat

/// Reads Sentry events, complete or in parts.
struct Sentry {
  private let event: JSON

  /// A part of an event: a member, or an entry of the `entries` list in which Sentry's service
  /// exports events.
  private static func part(_ name: String, of event: JSON) -> JSON? {
    if let member = event[name] { return member }
    return event["entries"]?.array.first { $0["type"]?.string == name }?["data"]
  }

  private func values(_ name: String) -> [JSON] {
    let part = Self.part(name, of: event)
    return part?["values"]?.array ?? part?.array ?? []
  }

  static func recognises(_ json: JSON) -> Bool {
    if json["type"]?.string == "transaction", json["exception"] == nil { return false }
    if json["eventID"] != nil, json["entries"]?.isArray == true { return true }
    if json["exception"]?["values"] != nil { return true }
    if json["event_id"] != nil, json.first("platform", "threads", "breadcrumbs", "level") != nil {
      return true
    }
    let user = json.first("user", "sentry_sdk_scope")
    return json["crash"] == nil && (user?["breadcrumbs"] != nil || isCrumb(json["breadcrumbs"]))
  }

  private static func isCrumb(_ json: JSON?) -> Bool {
    let first = json?["values"]?.array.first ?? json?.array.first
    return first?["timestamp"] != nil && first?["category"] != nil
  }

  /// True if a document is a header line of an envelope.
  static func isEnvelopeLine(_ json: JSON) -> Bool {
    guard json.isObject else { return false }
    let keys = Set(json.members.map(\.key))
    let itemKeys: Set = [
      "type", "length", "content_type", "filename", "attachment_type", "item_count",
    ]
    if keys.contains("type"), keys.isSubset(of: itemKeys) { return true }
    return !keys.isEmpty && keys.isSubset(of: ["event_id", "dsn", "sent_at", "sdk", "trace"])
  }

  static func read(_ json: JSON) -> CrashReport { Sentry(event: json).report() }

  private func report() -> CrashReport {
    var report = CrashReport(.sentry)
    let app = event["contexts"]?["app"]
    report.process = app?.first("app_name", "app_identifier")?.string ?? ""
    report.package = app?["app_identifier"]?.string ?? ""
    report.wall = WallClock.nanoseconds(event.first("timestamp", "dateCreated")) ?? 0
    report.threads = threads()
    report.failure = failure(report)
    let mechanism = values("exception").last?["mechanism"]?["type"]?.string ?? ""
    if ["AppHang", "ANR", "AppExitInfo"].contains(mechanism)
      || report.failure?.type.hasPrefix("App Hang") == true
    {
      report.takeHang()
    }
    if let thrown = report.failure, let number = thrown.thread, report.thread(number) == nil {
      report.threads.append(CrashReport.Thread(number: number, isMain: number == 0 ? true : nil))
    }
    report.crumbs = Self.crumbs(event)
    if app?["in_foreground"]?.boolean == false,
      report.crumbs.last(where: { $0.kind == .lifecycle }) == nil
    {
      report.isInBackground = true
    }
    return report
  }

  // MARK: Threads

  private func threads() -> [CrashReport.Thread] {
    let values = values("threads")
    let hasMain = values.contains { $0["main"]?.boolean == true }
    return values.prefix(4096).enumerated().map { place, json in
      var thread = CrashReport.Thread(number: json["id"]?.integer ?? place)
      thread.id = thread.number
      let name = json["name"]?.string ?? ""
      // Sentry has one field for the name of the thread and the label of its queue.
      if name.contains(".") { thread.queue = name } else { thread.name = name }
      thread.isMain =
        json["main"]?.boolean
        ?? MainThread.isMain(
          number: hasMain ? -1 : thread.number == 0 ? 0 : nil, queue: thread.queue)
      thread.frames = Self.frames(json["stacktrace"])
      return thread
    }
  }

  static func frames(_ json: JSON?) -> [CrashReport.Frame] {
    (json?["frames"]?.array ?? []).suffix(1024).reversed().map { json in
      var frame = CrashReport.Frame()
      frame.symbol = json.first("function", "rawFunction")?.string ?? ""
      frame.path = json["package"]?.string ?? ""
      // Java and Kotlin frames have a class instead of an image.
      if frame.path.isEmpty, json.first("instruction_addr", "instructionAddr") == nil,
        let type = json["module"]?.string, type.contains("."), !frame.symbol.isEmpty
      {
        frame.symbol = "\(type).\(frame.symbol)"
        frame.isManaged = true
      }
      frame.image =
        frame.path.split(separator: "/").last.map(String.init)
        ?? json["module"]?.string ?? ""
      frame.address = json.first("instruction_addr", "instructionAddr")?.address ?? 0
      frame.file = json.first("abs_path", "absPath", "filename")?.string
      frame.line = json.first("lineno", "lineNo")?.integer
      frame.isOwn = json.first("in_app", "inApp")?.boolean
      return frame
    }
  }

  // MARK: The failure

  private func failure(_ report: CrashReport) -> CrashReport.Failure? {
    let values = values("exception")
    let crashed = self.values("threads").firstIndex { $0["crashed"]?.boolean == true }
    guard let last = values.last else { return nil }
    var failure = CrashReport.Failure()
    let meta = last["mechanism"]?["meta"]
    failure.type = last["type"]?.string ?? ""
    failure.signal = meta?["signal"]?["name"]?.string ?? ""
    if failure.type.hasPrefix("SIG"), failure.signal.isEmpty { failure.signal = failure.type }
    failure.texts = values.reversed().compactMap { $0["value"]?.string }
    failure.texts += [event["logentry"]?["formatted"]?.string, event["message"]?.string]
      .compactMap(\.self)
    failure.address = last["mechanism"]?["data"]?["relevant_address"]?.address
    failure.thread =
      last.first("thread_id", "threadId")?.integer ?? crashed.flatMap(report.number(ofThreadAt:))
    failure.thrown = Self.frames(last["stacktrace"])
    let isHandled = last["mechanism"]?["handled"]?.boolean
    failure.isFatal =
      isHandled == false || crashed != nil
      || (isHandled == nil && event["level"]?.string == "fatal")
    return failure
  }

  // MARK: Crumbs

  static func crumbs(_ json: JSON) -> [CrashReport.Crumb] {
    let places = [
      part("breadcrumbs", of: json), json["user"]?["breadcrumbs"],
      json["sentry_sdk_scope"]?["breadcrumbs"],
    ]
    guard let found = places.compactMap(\.self).first else { return [] }
    let values = found["values"]?.array ?? found.array
    return values.suffix(10_000).map { json in
      CrumbReading.crumb(
        category: json["category"]?.string ?? "", message: json["message"]?.string ?? "",
        type: json["type"]?.string ?? "",
        data: (json["data"]?.members ?? []).compactMap { key, value in value.text.map { (key, $0) }
        },
        wall: WallClock.nanoseconds(json["timestamp"]), level: json["level"]?.string ?? "")
    }
  }
}
