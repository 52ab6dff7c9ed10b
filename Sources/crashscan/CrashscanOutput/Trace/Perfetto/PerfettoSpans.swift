import IncidentModel
import CLogFormat

/// Writes spans from one crumb to another: lifecycle phases, hangs of the main queue, background
/// tasks. Each has its own track, because spans overlap the work of threads.
struct PerfettoSpans {
  private let packets: PerfettoPackets
  private let tracks: PerfettoTracks
  private var phase: LifecyclePhase?
  private var isHanging = false
  private var tasks: [Int64: UInt64] = [:]
  private var taskCount: UInt64 = 0

  private static let mostTasks = 4096

  init(_ packets: PerfettoPackets, _ tracks: PerfettoTracks) {
    self.packets = packets
    self.tracks = tracks
  }

  mutating func observe(_ event: Event) {
    switch event.kind {
    case .lifecycle: observeLifecycle(event)
    case .hang: observeHang(event)
    case .backgroundTask: observeTask(event)
    default: break
    }
  }

  /// Ends all open spans at the end of the process.
  mutating func finish(at time: UInt64) {
    if phase != nil { end(lifecycle, at: time) }
    if isHanging { end(hangs, at: time) }
    for task in tasks.values.sorted() { end(task, at: time) }
  }

  private var lifecycle: UInt64 { tracks.child(.lifecycle, "lifecycle", rank: 1) }
  private var hangs: UInt64 { tracks.child(.hangs, "main queue does not answer", rank: 2) }

  private mutating func observeLifecycle(_ event: Event) {
    guard let next = LifecyclePhase(beginningWith: event.message), next != phase else { return }
    if phase != nil { end(lifecycle, at: event.monotonic) }
    phase = next
    begin(next.rawValue, "phase", on: lifecycle, at: event.monotonic)
  }

  /// Starts or ends a hang. The watch records a hang some time after its start. Only the main
  /// queue's hangs have a track.
  private mutating func observeHang(_ event: Event) {
    guard WatchedKind(event.category) ?? .mainQueue == .mainQueue else { return }
    let isBegin = event.messageBytes.isEqual(to: MS_WORD_DOES_NOT_ANSWER)
    guard isBegin != isHanging else { return }
    isHanging = isBegin
    guard isBegin else { return end(hangs, at: event.monotonic) }
    let lasted = UInt64(clamping: event.integer(MS_KEY_MILLISECONDS) ?? 0)
      .multipliedReportingOverflow(
        by: 1_000_000)
    let begun = event.monotonic - min(lasted.overflow ? 0 : lasted.partialValue, event.monotonic)
    begin("hang", "hang", on: hangs, at: begun)
  }

  private mutating func observeTask(_ event: Event) {
    guard let id = event.integer(MS_KEY_TASK) else { return }
    switch event.text(MS_KEY_STEP).flatMap(TaskStep.init) {
    case .begin:
      guard tasks[id] == nil, tasks.count < Self.mostTasks else { return }
      taskCount += 1
      let track = tracks.child(.task(taskCount), "background tasks", rank: 5)
      tasks[id] = track
      begin(event.message, "task", on: track, at: event.monotonic)
    case .end: if let track = tasks.removeValue(forKey: id) { end(track, at: event.monotonic) }
    case .expired, nil: break
    }
  }

  private func begin(
    _ name: String, _ category: String, on track: UInt64, at time: UInt64
  ) {
    packets.event(at: time) { slice in
      slice.field(9, 1 as UInt64)
      slice.field(11, track)
      slice.field(10, packets.number(of: name, for: .eventName))
      slice.field(3, packets.number(of: category, for: .category))
    }
  }

  private func end(_ track: UInt64, at time: UInt64) {
    packets.event(at: time) { slice in
      slice.field(9, 2 as UInt64)
      slice.field(11, track)
    }
  }
}

/// The hops that have arrived and not run, by id, in two generations.
struct HopFlows {
  private var newer: [UInt64: String] = [:]
  private var older: [UInt64: String] = [:]

  // The maximum number of hops per generation: hops whose run was overwritten would otherwise never
  // be removed.
  private static let most = 1 << 16

  mutating func arrive(_ id: UInt64, name: String) {
    if newer.count >= Self.most {
      older = newer
      newer = [:]
    }
    newer[id] = name
  }

  /// Removes a hop and returns its name; nil if its arrival is unknown.
  mutating func end(_ id: UInt64) -> String? {
    newer.removeValue(forKey: id) ?? older.removeValue(forKey: id)
  }
}
