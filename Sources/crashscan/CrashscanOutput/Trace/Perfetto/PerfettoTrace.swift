import DeathRecords
import IncidentModel
import CLogFormat

/// Writes a log as a trace for ui.perfetto.dev: threads and queues as tracks, crumbs as instants,
/// UI work as slices, hops as flows.
///
/// - Complexity: O(events); memory depends on the number of threads and queues only.
package final class PerfettoTrace {
  /// The thread or queue of the last event.
  private struct Place {
    var ordinal: Int
    var track: UInt64
    var label: String
  }

  let packets: PerfettoPackets
  let tracks: PerfettoTracks
  let annotations: PerfettoAnnotations
  let source: any EventSource
  let input: String
  var stacks: StackNames
  private var thread = Place(ordinal: -1, track: 0, label: "")
  private var queue: Place?
  private var spans: PerfettoSpans
  private var nestings: [UInt64: SliceNesting] = [:]
  private var hops = HopFlows()
  private var origins = OriginStacks()
  private var scratch: [UInt8] = []
  var first: UInt64?
  var last: UInt64 = 0

  /// Creates a trace of a log.
  ///
  /// - Parameters:
  ///   - source: The log.
  ///   - input: The name of the log.
  ///   - resolver: Symbolicates the frames of stacks.
  ///   - put: Receives the trace's bytes, one piece after another.
  package init(
    _ source: any EventSource, input: String, resolver: StackResolver,
    put: @escaping (UnsafeRawBufferPointer) -> Void
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

  func begin(monotonic: UInt64, wall: UInt64) {
    first = monotonic
    packets.clocks(monotonic: monotonic, wall: wall)
    _ = tracks.process(source.process?.executable ?? "")
  }

  // MARK: Crumbs

  private func add(_ event: Event) {
    packets.settle()
    last = max(last, event.monotonic)
    turn(to: event)
    switch event.kind {
    case .note, .error: addInstant(event, "")
    case .uiWork: addWork(event)
    case .hop: addHop(event)
    case .violation: addInstant(event, "violation: ")
    case .lifecycle:
      spans.observe(event)
      addInstant(event, "")
    case .backgroundTask:
      spans.observe(event)
      addInstant(event, "background task: ")
    case .hang:
      spans.observe(event)
      addInstant(event, Self.prefix(ofHang: event))
    }
  }

  /// Looks up the thread and queue if they differ from the previous event's.
  private func turn(to event: Event) {
    if thread.ordinal != event.thread {
      let known = source.threads[event.thread]
      thread = Place(
        ordinal: event.thread, track: tracks.thread(event.thread, known),
        label: label(of: known, ordinal: event.thread))
    }
    if queue?.ordinal != Int(event.queueNumber) {
      queue = event.queue.map {
        Place(
          ordinal: Int(event.queueNumber), track: tracks.queue(event.queueNumber, $0),
          label: $0.label)
      }
    }
  }

  private static func prefix(ofHang event: Event) -> StaticString {
    switch WatchedKind(event.category) ?? .mainQueue {
    case .mainQueue: "main queue: "
    case .pool: "pool: "
    case .queue: "queue: "
    case .actor: "actor: "
    case .loop: "event loop: "
    }
  }

  private func addInstant(_ event: Event, _ prefix: StaticString) {
    let name = name(prefix, event.messageBytes)
    instant(event, name) {
      if event.marks.contains(.hasHop) || event.hasStack { addStacks(of: event, to: &$0) }
    }
    mirror(event, name)
  }

  /// Adds UI work as a slice that ends at its crumb, which is recorded at the end of the work.
  private func addWork(_ event: Event) {
    let took = UInt64(clamping: event.integer(MS_KEY_NANOSECONDS) ?? 0)
    let begin = event.monotonic - min(took, event.monotonic)
    let name = name("", event.messageBytes)
    slice(from: begin, to: event.monotonic, on: thread.track) { slice in
      slice.field(10, name)
      addCategories(event, to: &slice)
      addFacts(event, to: &slice)
    }
    // Only the main queue is known to run one piece of work at a time.
    guard let queue, event.marks.contains(.onMain) else { return mirror(event, name) }
    slice(from: begin, to: event.monotonic, on: queue.track) { slice in
      slice.field(10, name)
      slice.field(3, packets.number(of: .ofQueue))
      annotations.addThread(thread.label, to: &slice)
    }
  }

  private func addHop(_ event: Event) {
    origins.observe(event)
    let isArrival = event.messageBytes.isEqual(to: MS_WORD_ARRIVAL)
    var known: String?
    if let hop = event.hop {
      if isArrival {
        known = event.text(MS_KEY_NAME) ?? ""
        hops.arrive(hop, name: known ?? "")
      } else {
        known = hops.end(hop)
      }
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: "hop".utf8)
    if let known, !known.isEmpty { scratch.append(contentsOf: " “\(known)”".utf8) }
    scratch.append(contentsOf: ": ".utf8)
    scratch.append(contentsOf: event.messageBytes)
    let name = scratch.withUnsafeBytes { packets.number(of: $0, for: .eventName) }
    instant(event, name) { instant in
      if let hop = event.hop, known != nil {
        instant.fixedField(isArrival ? 47 : 48, tracks.unique(hop))
      }
      if event.hasStack { addStacks(of: event, to: &instant) }
    }
    mirror(event, name)
  }

  // MARK: Parts of events

  @inline(__always)
  private func instant(_ event: Event, _ name: UInt64, _ body: (inout ProtoBytes) -> Void) {
    packets.event(at: event.monotonic) { instant in
      instant.field(9, 3 as UInt64)
      instant.field(11, thread.track)
      instant.field(10, name)
      addCategories(event, to: &instant)
      addFacts(event, to: &instant)
      body(&instant)
    }
  }

  /// Repeats the crumb on its queue's track, with the thread that recorded it.
  private func mirror(_ event: Event, _ name: UInt64) {
    guard let queue else { return }
    packets.event(at: event.monotonic) { instant in
      instant.field(9, 3 as UInt64)
      instant.field(11, queue.track)
      instant.field(10, name)
      instant.field(3, packets.number(of: .ofQueue))
      annotations.addThread(thread.label, to: &instant)
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
    bytes.field(3, packets.number(of: FixedText(event.kind)))
    let category = event.categoryBytes
    if category.count > 0 { bytes.field(3, packets.number(of: category, for: .category)) }
  }

  /// Adds the crumb's own data, and the facts that every crumb has.
  private func addFacts(_ event: Event, to bytes: inout ProtoBytes) {
    annotations.addData(of: event, to: &bytes)
    annotations.addFacts(of: event, queue: queue?.label, to: &bytes)
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

  private func label(of thread: IncidentThread?, ordinal: Int) -> String {
    guard let thread else { return "thread \(ordinal)" }
    return thread.name.isEmpty ? "\(thread.kernelID)" : "\(thread.name) \(thread.kernelID)"
  }
}
