import CrashAnalysis
import DeathRecords
import IncidentModel
import TextOutput

extension JSONWriter {
  /// Writes the members of a run that need its events. docs/internals/timeline.md describes the
  /// format.
  mutating func timeline(_ timeline: Timeline) {
    var tables = TimelineTables()
    let columns = timeline.columns
    let base = Self.base(of: timeline)
    member("seen", columns.seen)
    member("left", columns.left)
    times(timeline, base)
    numbers("place", columns.count) { tables.place(columns, $0) }
    numbers("sort", columns.count) { tables.sort(columns, $0) }
    numbers("text", columns.count) { tables.message(columns, $0) }
    data(columns, &tables)
    hops(columns)
    stacks(timeline, &tables)
    stopped(timeline, base, &tables)
    self.tables(tables, timeline)
    occurrences(timeline)
    losses(timeline.losses)
  }

  /// Returns the start of a timeline on the monotonic clock.
  private static func base(of timeline: Timeline) -> UInt64 {
    let first = timeline.columns.monotonic.first ?? timeline.crash?.monotonic ?? 0
    return min(timeline.opened ?? first, first)
  }

  /// Writes the nanoseconds between consecutive events, from the base to the first, and the
  /// wall-clock time of the base.
  private mutating func times(_ timeline: Timeline, _ base: UInt64) {
    let columns = timeline.columns
    let known = zip(columns.monotonic, columns.wall).first { $0.1 > 0 }
    let instant = known ?? timeline.crash.map { ($0.monotonic, $0.wall) } ?? (base, 0)
    let since = instant.0 - min(base, instant.0)
    member("base", "\(instant.1 - min(since, instant.1))")
    let untimed = (0..<columns.count).filter(columns.isUntimed)
    numbers("untimed", untimed.count) { untimed[$0] }
    var last = base
    numbers("time", columns.count) { index in
      defer { last = max(last, columns.monotonic[index]) }
      return Int(clamping: columns.monotonic[index] - min(last, columns.monotonic[index]))
    }
  }

  private mutating func data(_ columns: TimelineColumns, _ tables: inout TimelineTables) {
    key("data")
    array(0..<columns.count) { json, index in
      let cells = tables.data(columns, index)
      if cells.isEmpty { return json.value(0) }
      json.array(cells) { json, cell in
        switch cell {
        case .number(let number): json.value(number)
        case .literal(let text): json.value(text)
        }
      }
    }
  }

  /// Writes the events that belong to hops, with the hops' numbers.
  private mutating func hops(_ columns: TimelineColumns) {
    var hops = Interned<UInt64>()
    let part = (0..<columns.count).filter { columns.hop[$0] != 0 }
    numbers("hopAt", part.count) { part[$0] }
    numbers("hop", part.count) { hops.number(of: columns.hop[part[$0]]) }
  }

  private mutating func stacks(_ timeline: Timeline, _ tables: inout TimelineTables) {
    let columns = timeline.columns
    let part = (0..<columns.count).filter { columns.stack[$0] >= 0 }
    numbers("stackAt", part.count) { part[$0] }
    numbers("stack", part.count) { Int(columns.stack[part[$0]]) }
    key("stacks")
    array(timeline.stacks) { json, frames in json.stack(frames, &tables) }
  }

  private mutating func stack(_ frames: [Frame], _ tables: inout TimelineTables) {
    array(frames) { json, frame in json.value(tables.frames.number(of: frame)) }
  }

  private mutating func stopped(
    _ timeline: Timeline, _ base: UInt64, _ tables: inout TimelineTables
  ) {
    key("crash")
    guard let crash = timeline.crash else { return null() }
    object { json in
      json.member("time", crash.monotonic >= base ? Int(clamping: crash.monotonic - base) : 0)
      json.member("isTimed", crash.wall > 0)
      json.member("thread", crash.thread?.ordinal)
      json.member("kernelID", crash.kernelID)
      json.member("hasThread", crash.thread != nil)
      json.member("threadCount", crash.threadCount)
      json.member("expected", crash.expected)
      json.key("threads")
      json.array(timeline.stopped) { json, stopped in
        json.object { json in
          let thread = stopped.thread
          json.member("id", thread.kernelID)
          json.member("ordinal", thread.ordinal)
          json.member("name", thread.name)
          json.member("queue", thread.queue?.label)
          json.member("onMain", thread.onMain == .yes ? 1 : thread.onMain == .no ? 0 : 2)
          json.key("stack")
          json.stack(stopped.frames, &tables)
        }
      }
    }
  }

  private mutating func tables(_ tables: TimelineTables, _ timeline: Timeline) {
    key("places")
    array(tables.places.all) { json, place in
      json.array([place.thread, Int(place.queue), place.onMain]) { $0.value($1) }
    }
    key("sorts")
    array(tables.sorts.all) { json, sort in
      json.beginArray()
      json.value(sort.kind.name)
      json.value(sort.level.name)
      json.value(sort.category)
      json.value(sort.marks)
      json.endArray()
    }
    key("shapes")
    array(tables.shapes.all) { json, shape in
      json.array(shape.members) { json, member in
        json.beginArray()
        json.value(member.key)
        json.value(member.type)
        json.endArray()
      }
    }
    frames(tables.frames.all)
    key("texts")
    array(tables.texts.all) { $0.value($1) }
    key("threads")
    array(timeline.threads.values.sorted { $0.ordinal < $1.ordinal }) { json, thread in
      json.beginArray()
      json.value(thread.ordinal)
      json.value(thread.kernelID)
      json.value(thread.name)
      json.endArray()
    }
    key("queues")
    array(timeline.queues) { json, queue in
      json.beginArray()
      json.value("\(queue.serial)")
      json.value(queue.label)
      json.endArray()
    }
  }

  private mutating func frames(_ frames: [Frame]) {
    key("frames")
    array(frames) { json, frame in
      json.beginArray()
      json.value(frame.place.function)
      json.value(frame.place.module)
      json.value(frame.place.file ?? "")
      json.value(frame.place.line ?? 0)
      json.value(frame.role.name)
      json.value(frame.isInlined)
      json.endArray()
    }
  }

  private mutating func occurrences(_ timeline: Timeline) {
    key("occurrences")
    object { json in
      for (fingerprint, events) in timeline.occurrences.sorted(by: { $0.key < $1.key }) {
        json.key(fingerprint)
        json.array(events) { $0.value($1) }
      }
    }
  }

  private mutating func losses(_ losses: Incident.Losses) {
    member("recycled", losses.recycledInAll)
    member("dropped", losses.droppedInAll)
  }

  /// Writes a column of numbers.
  private mutating func numbers(
    _ name: StaticString, _ count: Int, _ number: (Int) -> Int
  ) {
    key(name)
    var text = "["
    for index in 0..<count {
      if index > 0 { text += "," }
      text += String(number(index))
    }
    written(text + "]")
  }
}

extension Frame.Role {
  /// The name that the page uses.
  fileprivate var name: String {
    switch self {
    case .code: "code"
    case .library: "library"
    case .runtime: "runtime"
    case .drain: "drain"
    case .check: "check"
    case .ui: "ui"
    }
  }
}
