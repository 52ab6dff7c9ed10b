import DeathRecords
import IncidentModel
import TextOutput

/// Writes a log's crumbs as one JSON document, `crashscan-show/1`, one crumb per line.
///
/// Facts that may change while the process runs follow the crumbs, so that the document can be
/// written during the run.
package struct CrumbDocument: CrumbView {
  private let path: String
  private var resolver: StackResolver
  private var writer = JSONWriter()
  private var threads: [Int: IncidentThread] = [:]
  private var written = BoundedCache<ObjectIdentifier, (stack: ResolvedStack, json: String)>()

  package init(path: String, resolver: StackResolver) {
    self.path = path
    self.resolver = resolver
  }

  package mutating func begin(_ incident: Incident) -> String {
    writer.beginObject()
    writer.member("schema", "crashscan-show/1")
    writer.member("log", path)
    writer.key("process")
    if let process = incident.process {
      writer.object {
        $0.member("id", process.id)
        $0.member("executable", process.executable)
        $0.member("release", process.release)
        $0.member("environment", process.environment)
        $0.member("opened", WallTime(nanoseconds: process.openedWall).iso8601)
        $0.member("openedMonotonic", process.openedMonotonic)
      }
    } else {
      writer.null()
    }
    writer.key("notes")
    writer.array(incident.notes) { $0.value($1) }
    writer.key("crumbs")
    writer.beginArray()
    return writer.take()
  }

  package mutating func learn(_ incident: Incident, showing crumbs: [Crumb]) {
    threads = incident.threads
    resolver.use(incident.modules)
  }

  package mutating func crumb(_ crumb: Crumb) -> String {
    let stack = crumb.stack.map { json($0, when: crumb.monotonic) }
    let origin = crumb.originStack.map { json($0, when: crumb.monotonic) }
    let thread = threads[crumb.thread]
    writer.breakLine()
    writer.object {
      $0.member("time", WallTime(nanoseconds: crumb.wall).iso8601)
      $0.member("monotonic", crumb.monotonic)
      $0.key("thread")
      $0.value(thread, ordinal: crumb.thread)
      $0.member("number", crumb.number)
      $0.key("queue")
      $0.value(crumb.queue)
      $0.key("onMain")
      $0.value(crumb.onMain)
      $0.member("kind", crumb.kind.name)
      $0.member("level", crumb.level.name)
      $0.member("category", crumb.category)
      $0.member("message", crumb.message)
      $0.key("data")
      $0.array(crumb.dataBesidesStacks) { $0.value($1.key, $1.value) }
      if let hop = crumb.hop { $0.member("hop", hop) }
      if crumb.isMessageCut { $0.member("isMessageCut", true) }
      if crumb.isDataCut { $0.member("isDataCut", true) }
      if crumb.isInterrupting { $0.member("isInterrupting", true) }
      if let stack {
        $0.key("stack")
        $0.written(stack)
      }
      if let origin {
        $0.key("originStack")
        $0.written(origin)
      }
    }
    return writer.take()
  }

  package mutating func end(_ incident: Incident) -> String {
    writer.breakLine()
    writer.endArray()
    writer.member("ending", incident.ending.name)
    writer.key("crash")
    if let crash = incident.crash { writer.value(crash, &resolver) } else { writer.null() }
    writer.key("losses")
    writer.object {
      $0.key("recycled")
      $0.value(incident.losses.recycled)
      $0.key("dropped")
      $0.value(incident.losses.dropped)
    }
    writer.key("unread")
    writer.array(incident.unread) { $0.value($1) }
    writer.key("modules")
    let modules = resolver.usedModules.map { ($0, resolver.shortcoming(of: $0)) }
    writer.array(modules) { $0.value($1.0, shortcoming: $1.1) }
    writer.endObject()
    return writer.take() + "\n"
  }

  private mutating func json(_ stack: Stack, when monotonic: UInt64) -> String {
    let resolved = resolver.resolve(stack, when: monotonic)
    if let (_, json) = written[ObjectIdentifier(resolved)] { return json }
    var writer = JSONWriter()
    writer.value(resolved)
    let json = writer.take()
    written.keep((resolved, json), for: ObjectIdentifier(resolved))
    return json
  }
}
