import CrashAnalysis
import IncidentModel
import LogWords
import TextOutput

/// Writes a log as a Sentry event, so that an incident can go where a team already looks.
///
/// What ended the process is the event's exception; where nothing did, its last violation is.
package struct SentryDocument: CrumbView {
  private let version: String
  private var resolver: StackResolver
  private var writer = JSONWriter()
  private var threads: [Int: IncidentThread] = [:]
  private var lastViolation: Crumb?
  private var lastWall: UInt64 = 0

  package init(version: String, resolver: StackResolver) {
    self.version = version
    self.resolver = resolver
  }

  package mutating func begin(_ incident: Incident) -> String {
    writer.beginObject()
    writer.member("event_id", Self.eventID(incident))
    writer.member("platform", "native")
    writer.key("sdk")
    writer.object { [version] json in
      json.member("name", "mainstay.crashscan")
      json.member("version", version)
    }
    lastWall = incident.process?.openedWall ?? 0
    writer.key("breadcrumbs")
    writer.beginObject()
    writer.key("values")
    writer.beginArray()
    return writer.take()
  }

  package mutating func learn(_ incident: Incident, showing crumbs: [Crumb]) {
    threads = incident.threads
    resolver.use(incident.modules)
  }

  package mutating func crumb(_ crumb: Crumb) -> String {
    if crumb.kind == .violation, crumb.stack != nil { lastViolation = crumb }
    lastWall = max(lastWall, crumb.wall)
    let thread = threads[crumb.thread]
    writer.breakLine()
    writer.object {
      $0.member("timestamp", WallTime(nanoseconds: crumb.wall).iso8601)
      $0.member("type", Self.type(of: crumb))
      $0.member("category", crumb.kind == .lifecycle ? "app.lifecycle" : Self.category(crumb))
      $0.member("level", Self.level(crumb.level))
      $0.member("message", crumb.message)
      $0.key("data")
      $0.object { json in
        json.member("thread", thread.map { "\($0.kernelID) \($0.name)" } ?? "\(crumb.thread)")
        json.member("queue", crumb.queue?.label)
        if let state = Self.state(crumb) { json.member("state", state) }
        for (key, value) in crumb.dataBesidesStacks {
          json.key(key)
          json.value(value.description)
        }
      }
    }
    return writer.take()
  }

  package mutating func end(_ incident: Incident) -> String {
    writer.endArray()
    writer.endObject()
    if let crash = incident.crash {
      write(crash, of: incident)
    } else if let lastViolation {
      write(lastViolation, of: incident)
    } else {
      writer.member("level", incident.ending.isWordless ? "error" : "info")
      writer.key("logentry")
      writer.object { $0.member("formatted", "the run's ending: \(incident.ending.name)") }
    }
    if let release = incident.process?.release { writer.member("release", release) }
    if let environment = incident.process?.environment { writer.member("environment", environment) }
    let time = WallTime(nanoseconds: max(incident.crash?.wall ?? 0, lastWall))
    writer.member("timestamp", time.iso8601)
    writeImages()
    writer.endObject()
    return writer.take() + "\n"
  }

  // MARK: What happened

  private mutating func write(_ crash: Crash, of incident: Incident) {
    writer.member("level", "fatal")
    let texts = crash.texts.map { text in
      switch text {
      case .swift(let words), .cLibrary(let words), .exceptionType(let words),
        .exception(let words):
        words
      }
    }
    let stack = crash.thread.map { resolver.resolve($0.stack, when: crash.monotonic) }
    beginException(
      SignalName.of(crash.signal), texts.joined(separator: "\n"), thread: crash.kernelID)
    writer.key("mechanism")
    writer.object {
      $0.member("type", "signalhandler")
      $0.member("handled", false)
      $0.key("meta")
      $0.object { json in
        json.key("signal")
        json.object { signal in
          signal.member("number", crash.signal)
          signal.member("code", crash.code)
          signal.member("name", SignalName.of(crash.signal))
        }
      }
    }
    stack.map { write($0, incident) }
    endException()
    writer.key("threads")
    writer.beginObject()
    writer.key("values")
    writer.beginArray()
    if let thread = crash.thread { write(thread, crash, incident, hasCrashed: true) }
    for thread in crash.otherThreads { write(thread, crash, incident, hasCrashed: false) }
    writer.endArray()
    writer.endObject()
  }

  private mutating func write(_ violation: Crumb, of incident: Incident) {
    writer.member("level", "error")
    let id = threads[violation.thread]?.kernelID ?? violation.thread
    beginException("Violation", violation.message, thread: id)
    writer.key("mechanism")
    writer.object {
      $0.member("type", "affinity")
      $0.member("handled", true)
    }
    if let stack = violation.stack {
      write(resolver.resolve(stack, when: violation.monotonic), incident)
    }
    endException()
  }

  private mutating func beginException(_ type: String, _ value: String, thread: Int) {
    writer.key("exception")
    writer.beginObject()
    writer.key("values")
    writer.beginArray()
    writer.beginObject()
    writer.member("type", type)
    writer.member("value", value)
    writer.member("thread_id", thread)
  }

  private mutating func endException() {
    writer.endObject()
    writer.endArray()
    writer.endObject()
  }

  private mutating func write(
    _ thread: CrashThread, _ crash: Crash, _ incident: Incident, hasCrashed: Bool
  ) {
    let resolved = resolver.resolve(thread.stack, when: crash.monotonic)
    writer.breakLine()
    writer.beginObject()
    writer.member("id", thread.kernelID)
    writer.member("name", thread.queue?.label ?? thread.name)
    writer.member("crashed", hasCrashed)
    writer.member("current", hasCrashed)
    writer.member("main", thread.kernelID == incident.process?.id)
    write(resolved, incident)
    writer.endObject()
  }

  // MARK: Stacks

  /// Sentry has the outermost frame first, and a frame for every inlined function.
  private mutating func write(_ stack: ResolvedStack, _ incident: Incident) {
    guard stack.frames.count > stack.ownFrameCount else { return }
    let program = incident.process?.executable
    writer.key("stacktrace")
    writer.object { json in
      json.key("frames")
      json.array(stack.frames.dropFirst(stack.ownFrameCount).reversed()) { json, frame in
        let isOwn = frame.module?.path == program
        if frame.functions.isEmpty { json.sentryFrame(frame, nil, isOwn: isOwn) }
        for function in frame.functions.dropFirst(frame.ownFunctionCount).reversed() {
          json.sentryFrame(frame, function, isOwn: isOwn)
        }
      }
    }
  }

  private mutating func writeImages() {
    // Sentry looks an image up by its build id, and takes none without.
    let modules = resolver.usedModules.filter { !$0.buildID.isEmpty }
    writer.key("debug_meta")
    writer.object { json in
      json.key("images")
      json.array(modules) { json, module in
        json.object { json in
          json.member("type", "elf")
          json.member("code_file", module.path)
          json.member("code_id", module.buildID.map(twoDigits).joined())
          json.member("debug_id", debugID(module.buildID))
          json.member("image_addr", hexadecimal(module.loadBias))
          json.member("image_size", module.text.upperBound &- module.loadBias)
        }
      }
    }
  }

  // MARK: Sentry's words

  private static func eventID(_ incident: Incident) -> String {
    ["event", "id"].map { salt in
      var hash = StableHash()
      hash.add(salt)
      hash.add("\(incident.process?.id ?? 0) \(incident.process?.openedWall ?? 0)")
      hash.add(incident.process?.executable ?? "")
      return hash.hexadecimal
    }.joined()
  }

  private static func type(of crumb: Crumb) -> String {
    switch crumb.kind {
    case .lifecycle: "navigation"
    case .violation, .hang, .error: "error"
    default: "default"
    }
  }

  private static func category(_ crumb: Crumb) -> String {
    crumb.category.isEmpty ? crumb.kind.name : crumb.category
  }

  private static func state(_ crumb: Crumb) -> String? {
    guard crumb.kind == .lifecycle else { return nil }
    switch LifecycleStep(crumb.message) {
    case .didEnterBackground: return "background"
    case .didBecomeActive, .willEnterForeground: return "foreground"
    default: return nil
    }
  }

  private static func level(_ level: CrumbLevel) -> String {
    level == .notice ? "info" : level.name
  }
}

/// A build id as Sentry writes it: a UUID whose first three fields are little-endian.
private func debugID(_ buildID: [UInt8]) -> String {
  let bytes = Array((buildID + [UInt8](repeating: 0, count: 16)).prefix(16))
  let fields = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
  return fields.enumerated().map { place, field in
    (place < 3 ? Array(field.reversed()) : Array(field)).map(twoDigits).joined()
  }.joined(separator: "-")
}

extension JSONWriter {
  fileprivate mutating func sentryFrame(
    _ frame: ResolvedFrame, _ function: SourceFrame?, isOwn: Bool
  ) {
    object { json in
      json.member("function", function?.function)
      if let function, function.mangledName != function.function {
        json.member("raw_function", function.mangledName)
      }
      json.member("package", frame.module?.path)
      json.member("instruction_addr", hexadecimal(frame.address.recorded))
      if let file = function?.file {
        json.member("abs_path", file)
        json.member("filename", file.split(separator: "/").last.map(String.init) ?? file)
        json.member("lineno", function?.line)
      }
      json.member("in_app", isOwn)
    }
  }
}
