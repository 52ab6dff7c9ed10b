import IncidentModel

/// Writes a log as a trace for ui.perfetto.dev: threads and queues as tracks, crumbs as instants, UI
/// work as slices, hops as flows.
///
/// - Complexity: O(events); memory does not grow with the log, but for its threads and queues.
package final class PerfettoTrace {
  private let packets: PerfettoPackets
  private let tracks: PerfettoTracks
  private let annotations: PerfettoAnnotations
  private let source: any EventSource
  private let input: String
  private var stacks: StackNames
  private var spans: PerfettoSpans
  private var nestings: [UInt64: SliceNesting] = [:]
  private var hops = HopFlows()
  private var origins = OriginStacks()
  private var scratch: [UInt8] = []
  private var first: UInt64?
  private var last: UInt64 = 0

  /// - Parameters:
  ///   - source: the log.
  ///   - input: what the log is called.
  ///   - resolver: names the frames of stacks.
  ///   - put: takes the trace's bytes, a piece after the other.
  package init(
    _ source: any EventSource, input: String, resolver: StackResolver,
    put: @escaping ([UInt8]) -> Void
  ) {
    self.source = source
    self.input = input
    packets = PerfettoPackets(put: put)
    tracks = PerfettoTracks(packets, of: source)
    annotations = PerfettoAnnotations(packets: packets)
    spans = PerfettoSpans(packets, tracks)
    stacks = StackNames(resolver)
    stacks.begin(source)
  }

  /// Writes the whole trace.
  package func write() throws {
    let batch = EventBatch(queues: source.queues)
    while try source.next(into: batch) {
      if first == nil { begin(monotonic: batch[0].monotonic, wall: batch[0].wall) }
      for index in 0..<batch.count { add(batch[index]) }
    }
    if first == nil, let process = source.process {
      begin(monotonic: process.openedMonotonic, wall: process.openedWall)
    }
    if let crash = source.crash { add(crash) }
    tracks.finish(source.threads)
    if source.ending != .running { spans.finish(at: last) }
    addSummary()
    packets.finish()
  }

  private func begin(monotonic: UInt64, wall: UInt64) {
    first = monotonic
    packets.clocks(monotonic: monotonic, wall: wall)
    _ = tracks.process(source.process?.executable ?? "")
  }

  // MARK: Crumbs

  private func add(_ event: Event) {
    packets.settle()
    last = max(last, event.monotonic)
    let thread = tracks.thread(event.thread, source.threads[event.thread])
    let queue = event.queue.map { tracks.queue(event.queueNumber, $0) }
    spans.observe(event)
    switch event.kind {
    case .uiWork: addWork(event, thread, queue)
    case .hop: addHop(event, thread, queue)
    case .violation: addInstant(event, "violation: ", thread, queue)
    case .backgroundTask: addInstant(event, "background task: ", thread, queue)
    case .hang: addInstant(event, "main queue: ", thread, queue)
    case .note, .lifecycle, .error: addInstant(event, "", thread, queue)
    }
  }

  private func addInstant(
    _ event: Event, _ prefix: StaticString, _ thread: UInt64, _ queue: UInt64?
  ) {
    let name = name(prefix, event.messageBytes)
    instant(event, name, thread) { self.addStacks(of: event, to: &$0) }
    if let queue { mirror(event, name, on: queue) }
  }

  /// A crumb of UI work is left at its end.
  private func addWork(_ event: Event, _ thread: UInt64, _ queue: UInt64?) {
    let took = UInt64(clamping: event.integer("nanoseconds") ?? 0)
    let begin = event.monotonic - min(took, event.monotonic)
    let name = name("", event.messageBytes)
    slice(from: begin, to: event.monotonic, on: thread) { slice in
      slice.field(10, name)
      self.addCategories(event, to: &slice)
      self.addFacts(event, to: &slice)
    }
    guard let queue else { return }
    // Only of the main queue is it known that nothing runs there beside.
    guard event.marks.contains(.onMain) else { return mirror(event, name, on: queue) }
    let label = threadLabel(event)
    slice(from: begin, to: event.monotonic, on: queue) { slice in
      slice.field(10, name)
      slice.field(3, self.packets.number(of: "queue", for: .category))
      self.annotations.add("thread", label, to: &slice)
    }
  }

  private func addHop(_ event: Event, _ thread: UInt64, _ queue: UInt64?) {
    let isArrival = event.messageBytes.isEqual(to: "arrival")
    let hop = event.hop
    var known: String?
    origins.observe(event)
    if let hop {
      if isArrival {
        let name = event.text("name") ?? ""
        hops.arrive(hop, name: name)
        known = name
      } else {
        known = hops.end(hop)
      }
    }
    let of = known.map { $0.isEmpty ? "" : " “\($0)”" } ?? ""
    let name = "hop\(of): \(event.message)"
    let number = packets.number(of: name, for: .eventName)
    instant(event, number, thread) { instant in
      if let hop, known != nil { instant.fixedField(isArrival ? 47 : 48, self.tracks.unique(hop)) }
      self.addStacks(of: event, to: &instant)
    }
    if let queue { mirror(event, number, on: queue) }
  }

  // MARK: Pieces of events

  private func instant(
    _ event: Event, _ name: UInt64, _ track: UInt64, _ body: (inout ProtoBytes) -> Void
  ) {
    packets.event(at: event.monotonic) { instant in
      instant.field(9, 3 as UInt64)
      instant.field(11, track)
      instant.field(10, name)
      self.addCategories(event, to: &instant)
      self.addFacts(event, to: &instant)
      body(&instant)
    }
  }

  /// The same crumb on its queue's track, where it says which thread it was left on.
  private func mirror(_ event: Event, _ name: UInt64, on queue: UInt64) {
    let label = threadLabel(event)
    packets.event(at: event.monotonic) { instant in
      instant.field(9, 3 as UInt64)
      instant.field(11, queue)
      instant.field(10, name)
      instant.field(3, self.packets.number(of: "queue", for: .category))
      self.annotations.add("thread", label, to: &instant)
    }
  }

  private func slice(
    from begin: UInt64, to end: UInt64, on track: UInt64, _ body: (inout ProtoBytes) -> Void
  ) {
    let begin = nestings[track, default: SliceNesting()].begin(of: begin, endingAt: end)
    packets.event(at: begin) { slice in
      slice.field(9, 1 as UInt64)
      slice.field(11, track)
      body(&slice)
    }
    packets.event(at: end) { slice in
      slice.field(9, 2 as UInt64)
      slice.field(11, track)
    }
  }

  private func addCategories(_ event: Event, to bytes: inout ProtoBytes) {
    bytes.field(3, packets.number(of: event.kind.name, for: .category))
    let category = event.categoryBytes
    if category.count > 0 { bytes.field(3, packets.number(of: category, for: .category)) }
  }

  /// The crumb's own data, and in a group what every crumb has.
  private func addFacts(_ event: Event, to bytes: inout ProtoBytes) {
    annotations.addData(of: event, to: &bytes)
    annotations.group("crumb", in: &bytes) { group in
      annotations.add("level", event.level.name, to: &group, in: 11)
      if let queue = event.queue { annotations.add("queue", queue.label, to: &group, in: 11) }
      switch event.onMain {
      case .yes: annotations.add("on main", true, to: &group, in: 11)
      case .no: annotations.add("on main", false, to: &group, in: 11)
      case .unknown: break
      }
      annotations.add("number", Int64(event.number), to: &group, in: 11)
      if !event.marks.isDisjoint(with: [.messageCut, .dataCut]) {
        annotations.add("cut", true, to: &group, in: 11)
      }
      if event.marks.contains(.interrupting) {
        annotations.add("in a signal handler", true, to: &group, in: 11)
      }
    }
  }

  private func addStacks(of event: Event, to bytes: inout ProtoBytes) {
    if event.hasStack {
      annotations.add("stack", stacks.frames(event.frames, when: event.monotonic), to: &bytes)
    }
    guard let origin = origins.origin(of: event) else { return }
    annotations.add(
      "origin stack", stacks.frames(origin.frames, when: event.monotonic), to: &bytes)
  }

  private func name(_ prefix: StaticString, _ text: UnsafeRawBufferPointer) -> UInt64 {
    if prefix.utf8CodeUnitCount == 0 { return packets.number(of: text, for: .eventName) }
    scratch.removeAll(keepingCapacity: true)
    prefix.withUTF8Buffer { scratch.append(contentsOf: $0) }
    scratch.append(contentsOf: text)
    return scratch.withUnsafeBytes { packets.number(of: $0, for: .eventName) }
  }

  private func threadLabel(_ event: Event) -> String {
    guard let thread = source.threads[event.thread] else { return "thread \(event.thread)" }
    return thread.name.isEmpty ? "\(thread.kernelID)" : "\(thread.name) \(thread.kernelID)"
  }

  // MARK: The end

  private func add(_ crash: Crash) {
    if first == nil { begin(monotonic: crash.monotonic, wall: crash.wall) }
    last = max(last, crash.monotonic)
    let crashed =
      crash.thread.map { track(of: $0) } ?? tracks.thread(kernelID: crash.kernelID, name: "")
    let frames = crash.thread.map { stacks.frames($0.stack.frames, when: crash.monotonic) } ?? []
    instant("crash: \(crash.title ?? crash.signalName)", "crash", at: crash.monotonic, crashed) {
      self.annotations.add("signal", crash.signalName, to: &$0)
      self.annotations.add("code", Int64(crash.code), to: &$0)
      if crash.isAboutAccess, let address = crash.address {
        self.annotations.add("address", "0x" + String(address, radix: 16), to: &$0)
      }
      for text in crash.texts.map(\.words).prefix(1) { self.annotations.add("said", text, to: &$0) }
      self.annotations.add("stack", frames, to: &$0)
    }
    for thread in crash.otherThreads {
      let frames = stacks.frames(thread.stack.frames, when: crash.monotonic)
      instant("when it crashed", "at the crash", at: crash.monotonic, track(of: thread)) {
        self.annotations.add("stack", frames, to: &$0)
      }
    }
  }

  private func track(of thread: CrashThread) -> UInt64 {
    thread.ordinal.map { tracks.thread($0, source.threads[$0]) }
      ?? tracks.thread(kernelID: thread.kernelID, name: thread.name)
  }

  /// What is known of the log as a whole.
  private func addSummary() {
    guard let first else { return }
    let process = tracks.process(source.process?.executable ?? "")
    instant("breadcrumb log", "log", at: first, process) { instant in
      self.annotations.add("log", self.input, to: &instant)
      self.annotations.add("ending", self.source.ending.name, to: &instant)
      for (name, counts) in [
        ("overwritten", self.source.losses.recycled), ("never written", self.source.losses.dropped),
      ] as [(StaticString, [CrumbKind: UInt64])] where !counts.isEmpty {
        let total = counts.values.reduce(0) { $0 &+ $1 }
        self.annotations.add(name, Int64(clamping: total), to: &instant)
      }
      if !self.source.unread.isEmpty {
        self.annotations.add("unreadable parts", Int64(self.source.unread.count), to: &instant)
      }
    }
  }

  private func instant(
    _ name: String, _ category: StaticString, at time: UInt64, _ track: UInt64,
    _ body: (inout ProtoBytes) -> Void
  ) {
    packets.event(at: time) { instant in
      instant.field(9, 3 as UInt64)
      instant.field(11, track)
      instant.field(10, self.packets.number(of: name, for: .eventName))
      instant.field(3, self.packets.number(of: category, for: .category))
      body(&instant)
    }
  }
}
