import IncidentModel

/// Reads Crashlytics' local records: one JSON section per line, with texts in hexadecimal.
struct Crashlytics {
  private static let sections = [
    "exception", "mach_exception", "signal", "error", "log", "kv", "threads", "thread_names",
    "dispatch_queue_names", "identity", "process_stats", "storage", "load", "runtime",
  ]

  /// True if a document is a section of a Crashlytics record.
  static func recognises(_ json: JSON) -> Bool {
    let members = json.isObject ? json.members : []
    guard members.count == 1, let (key, value) = members.first, sections.contains(key) else {
      return false
    }
    switch key {
    case "exception": return value["frames"] != nil
    case "log": return value["msg"] != nil
    case "mach_exception", "signal": return value["name"] != nil && value["time"] != nil
    case "threads":
      let first = value.array.first
      return first?["stacktrace"] != nil || first?["registers"] != nil
        || first?.array.first?["library"] != nil && first?.array.first?["symbol"] != nil
    default: return false
    }
  }

  /// A function that never returns.
  private static let failedCheck = "_dispatch_assert_queue_fail"

  private var report = CrashReport(.crashlytics)
  private var stacks: [JSON] = []
  private var queues: [String] = []
  private var names: [String] = []

  static func read(_ sections: [JSON]) -> CrashReport {
    var reader = Crashlytics()
    for section in sections {
      for (key, value) in section.members { reader.take(key, value) }
    }
    return reader.finish()
  }

  private mutating func take(_ key: String, _ json: JSON) {
    switch key {
    case "exception": takeException(json)
    case "mach_exception", "signal":
      guard report.failure == nil else { return }
      let name = json["name"]?.string ?? ""
      var failure = CrashReport.Failure(thread: 0)
      if name.hasPrefix("SIG") { failure.signal = name } else { failure.type = name }
      failure.texts = [json["code_name"]?.string].compactMap(\.self)
      report.failure = failure
      report.wall = json["time"]?.double.flatMap(WallClock.nanoseconds) ?? 0
    case "threads": stacks = json.array
    case "dispatch_queue_names": queues = json.array.map { Self.decoded($0) }
    case "thread_names": names = json.array.map { Self.decoded($0) }
    case "log":
      let wall = json["time"]?.double.flatMap(WallClock.nanoseconds)
      report.crumbs.append(
        CrumbReading.crumb(
          category: "log", message: Self.decoded(json["msg"]), type: "", data: [], wall: wall))
    default: break
    }
  }

  private mutating func takeException(_ json: JSON) {
    var failure = CrashReport.Failure(thread: 0)
    failure.type = Self.decoded(json["name"])
    failure.texts = [Self.decoded(json["reason"])].filter { !$0.isEmpty }
    failure.thrown =
      json["frames"]?.array.prefix(1024).map(Self.frame) ?? []
    report.failure = failure
    report.wall = json["time"]?.double.flatMap(WallClock.nanoseconds) ?? 0
  }

  private static func frame(_ json: JSON) -> CrashReport.Frame {
    CrashReport.Frame(
      symbol: json["symbol"]?.string ?? "", image: json["library"]?.string ?? "",
      address: json["pc"]?.address ?? 0, file: json["file"]?.string,
      line: json["line"]?.integer.flatMap { $0 > 0 ? $0 : nil })
  }

  private mutating func finish() -> CrashReport {
    report.threads = stacks.prefix(4096).enumerated().map { place, json in
      var thread = CrashReport.Thread(number: place)
      thread.queue = place < queues.count && !queues[place].isEmpty ? queues[place] : nil
      thread.name = place < names.count ? names[place] : ""
      thread.isMain = MainThread.isMain(number: nil, queue: thread.queue)
      thread.frames = (json["stacktrace"]?.array ?? []).prefix(1024).map {
        CrashReport.Frame(address: $0.address ?? 0)
      }
      if json.isArray { thread.frames = json.array.prefix(1024).map(Self.frame) }
      if json["crashed"]?.boolean == true { report.failure?.thread = place }
      return thread
    }
    // A record stores its symbols and its cause separately, so a record without a cause may still
    // show a failed check on its stack.
    if report.failure == nil,
      let died = report.threads.first(where: { $0.frames.first?.symbol == Self.failedCheck })
    {
      report.failure = CrashReport.Failure(type: "Crashed", thread: died.number)
    }
    return report
  }

  /// The text of a value: decoded if it is hexadecimal, otherwise unchanged.
  private static func decoded(_ json: JSON?) -> String {
    guard let text = json?.string, text.utf8.count % 2 == 0, !text.isEmpty else {
      return json?.string ?? ""
    }
    var bytes: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return text }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
