import CrashAnalysis
import DeathRecords
import IncidentModel
import TextOutput

/// Writes a log as a Sentry event.
///
/// The crash is the event's exception; without a crash, the last violation is.
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
    writer.member("event_id", DeathRecord.id(incident.process, recording: ""))
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
    writer.breakLine()
    writer.sentry(crumb, threads[crumb.thread])
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
    writer.sentryImages(resolver.usedModules)
    writer.endObject()
    return writer.take() + "\n"
  }

  // MARK: The event

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
    writer.sentryMechanism(crash)
    stack.map { writer.sentry($0, of: incident.process?.executable) }
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
      let resolved = resolver.resolve(stack, when: violation.monotonic)
      writer.sentry(resolved, of: incident.process?.executable)
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
    writer.sentry(
      thread, resolved, of: incident.process, hasCrashed: hasCrashed)
  }
}
