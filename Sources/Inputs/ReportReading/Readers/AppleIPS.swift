import IncidentModel

/// Reads the JSON body of Apple's `.ips` reports.
struct AppleIPS {
  private let body: JSON
  private let images: [Image]

  private struct Image {
    var name: String
    var path: String
    var base: UInt64
  }

  /// True if a document is the body of an `.ips` report.
  static func recognises(_ json: JSON) -> Bool {
    json["threads"]?.isArray == true
      && (json["usedImages"] != nil || json["faultingThread"] != nil || json["procName"] != nil)
  }

  /// - Parameters:
  ///   - body: the JSON document.
  ///   - header: the JSON line before the document, if any.
  static func read(_ body: JSON, header: JSON?) -> CrashReport {
    AppleIPS(body).report(header)
  }

  private init(_ body: JSON) {
    self.body = body
    images = (body["usedImages"]?.array ?? []).map { image in
      let path = image["path"]?.string ?? ""
      let name = image["name"]?.string ?? path.split(separator: "/").last.map(String.init) ?? ""
      return Image(name: name, path: path, base: image["base"]?.address ?? 0)
    }
  }

  private func report(_ header: JSON?) -> CrashReport {
    var report = CrashReport(.appleIPS)
    report.process = body["procName"]?.string ?? header?.first("app_name", "name")?.string ?? ""
    report.processID = body["pid"]?.integer ?? 0
    let time = body["captureTime"]?.string ?? header?["timestamp"]?.string
    report.wall = time.flatMap(WallClock.nanoseconds) ?? 0
    report.ownImages = [report.process]
    report.threads = (body["threads"]?.array ?? []).prefix(4096).enumerated().map(thread)
    report.failure = failure(report)
    let termination = body["termination"]
    let details = [termination?["details"], termination?["reasons"]].flatMap { $0?.array ?? [] }
    report.takeTermination(
      ([termination?["code"]?.text, termination?["indicator"]?.string] + details.map(\.string))
        .compactMap(\.self).joined(separator: " "))
    if isInBackground(header) { report.isInBackground = true }
    return report
  }

  /// True if the application was in the background. Only mobile systems count: on macOS the role
  /// means a program without a user interface.
  private func isInBackground(_ header: JSON?) -> Bool {
    let system = body["osVersion"]?["train"]?.string ?? header?["os_version"]?.string ?? ""
    return body["procRole"]?.string == "Background" && AppleSystem.isMobile(system)
  }

  private func thread(_ place: Int, _ json: JSON) -> CrashReport.Thread {
    var thread = CrashReport.Thread(number: place, id: json["id"]?.integer ?? 0)
    thread.name = json["name"]?.string ?? ""
    thread.queue = json["queue"]?.string
    if json["triggered"]?.boolean == true, thread.queue == nil {
      thread.queue = body["legacyInfo"]?["threadTriggered"]?["queue"]?.string
    }
    thread.isMain = MainThread.isMain(number: place, queue: thread.queue)
    thread.frames = frames(json["frames"])
    return thread
  }

  private func frames(_ json: JSON?) -> [CrashReport.Frame] {
    (json?.array ?? []).prefix(1024).map { json in
      var frame = CrashReport.Frame()
      let offset = json["imageOffset"]?.address ?? 0
      if let index = json["imageIndex"]?.integer, images.indices.contains(index) {
        frame.image = images[index].name
        frame.path = images[index].path
        frame.address = images[index].base &+ offset
      }
      frame.symbol = json["symbol"]?.string ?? ""
      frame.file = json["sourceFile"]?.string
      frame.line = json["sourceLine"]?.integer
      frame.isInlined = json["inline"]?.boolean ?? false
      if frame.symbol.isEmpty, !frame.image.isEmpty { frame.symbol = "\(frame.image) + \(offset)" }
      return frame
    }
  }

  private func failure(_ report: CrashReport) -> CrashReport.Failure? {
    let exception = body["exception"]
    let isTriggered = { (json: JSON) in json["triggered"]?.boolean == true }
    let marked = (body["threads"]?.array ?? []).firstIndex(where: isTriggered)
    guard exception != nil || marked != nil || body["faultingThread"] != nil else { return nil }
    var failure = CrashReport.Failure()
    failure.type = exception?["type"]?.string ?? ""
    failure.signal = exception?["signal"]?.string ?? ""
    failure.thread = marked ?? body["faultingThread"]?.integer
    for (_, messages) in body["asi"]?.members ?? [] {
      failure.texts += messages.array.compactMap(\.string)
    }
    if let reason = body["exceptionReason"] {
      failure.texts += [reason["composed_message"]?.string ?? reason["reason"]?.string].compactMap(
        \.self)
    }
    let isBare = failure.texts.isEmpty
    if isBare, let subtype = exception?["subtype"]?.string { failure.texts.append(subtype) }
    if isBare, let indicator = body["termination"]?["indicator"]?.string {
      failure.texts.append(indicator)
    }
    failure.sortTexts()
    failure.thrown = frames(body["lastExceptionBacktrace"])
    return failure
  }
}

/// Identifies the main thread of an application.
enum MainThread {
  /// True if the thread is the main one: thread 0, or the thread of the main queue. Nil if the
  /// number and the queue are unknown.
  static func isMain(number: Int?, queue: String?) -> Bool? {
    if number == 0 { return true }
    if let queue, !queue.isEmpty { return isMain(queue: queue) }
    return number.map { _ in false }
  }

  static func isMain(queue: String) -> Bool {
    queue == "com.apple.main-thread" || queue == "apple.main-thread" || queue == "main"
      || queue.hasPrefix("com.apple.main-thread ")
  }
}
