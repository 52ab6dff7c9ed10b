internal import CRecorder
internal import ThreadAffinity

// Hops may be hot paths: no call allocates, except the first arrival at a hop and a crumb for a
// redaction hook.
extension AffinityCrumbs {
  static func recordArrival(
    at hop: HopLabel, id: UInt64, from caller: UInt, _ here: ms_queue_stamp
  ) -> HopArrival {
    guard let target else { return HopArrival(time: 1) }
    let now = ms_log_now(target.log)
    var crumb = ms_crumb(MS_HOP_ARRIVAL, of: id, at: now, here)
    guard target.redact == nil else {
      leaveArrival(of: hop, id: id, from: caller, to: target)
      return HopArrival(time: now)
    }
    guard let bracket = ms_log_enter(target.log, MS_KIND_HOP) else { return HopArrival(time: now) }
    defer { ms_log_leave(bracket) }
    EncodedHopData(of: hop).finish(&crumb)
    if ms_queue_here_is_serial() { crumb.flags |= UInt8(MS_CRUMB_ON_SERIAL.rawValue) }
    guard target.hopStacks else {
      ms_log_append(bracket, &crumb)
      return HopArrival(time: now)
    }
    target.addStack(to: &crumb, bracket, from: caller)
    return HopArrival(time: now, stack: ms_log_append_stack(bracket, &crumb).words)
  }

  static func recordRun(of hop: HopLabel, id: UInt64, since arrival: UInt64) {
    guard let target else { return }
    let now = ms_log_now(target.log)
    let nanoseconds =
      arrival == 0 ? 0 : ms_log_nanoseconds_between(target.log, arrival, now)
    guard target.redact == nil else {
      let data: [(key: String, value: CrumbValue)] = [(MS_KEY_NANOSECONDS, .integer(nanoseconds))]
      return leave(
        CrumbContents(message: MS_WORD_RUN, data: data, hop: id), .debug, MS_WORD_HOP,
        kind: MS_KIND_HOP)
    }
    guard let bracket = ms_log_enter(target.log, MS_KIND_HOP) else { return }
    var crumb = ms_crumb(MS_HOP_RUN, of: id, at: now, ms_queue_stamp_here())
    let data = ms_log_data(bracket)
    ms_data_nanoseconds(data, nanoseconds)
    ms_crumb_set_data(&crumb, data)
    ms_log_append(bracket, &crumb)
    ms_log_leave(bracket)
  }

  static func recordDrop(of hop: HopLabel, id: UInt64) {
    guard let target else { return }
    guard target.redact == nil else {
      return leave(
        CrumbContents(message: MS_WORD_DROP, data: [], hop: id), .debug, MS_WORD_HOP,
        kind: MS_KIND_HOP)
    }
    guard let bracket = ms_log_enter(target.log, MS_KIND_HOP) else { return }
    var crumb = ms_crumb(MS_HOP_DROP, of: id, at: 0, ms_queue_stamp_here())
    ms_log_append(bracket, &crumb)
    ms_log_leave(bracket)
  }

  static func stack(
    of arrival: HopArrival, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    return Int(
      ms_log_stack_at(ms_stack_place(arrival.stack), start, UInt32(clamping: buffer.count)))
  }

  /// Records an arrival through the redaction hook.
  private static func leaveArrival(
    of hop: HopLabel, id: UInt64, from caller: UInt, to target: Target
  ) {
    let data: [(key: String, value: CrumbValue)] = [
      (MS_KEY_NAME, .string(hop.name.text)), (MS_KEY_SITE, .string("\(hop.site)")),
      (MS_KEY_OBJECTS, .integer(hop.objects)),
    ]
    let stack =
      !target.hopStacks
      ? []
      : [UInt](unsafeUninitializedCapacity: Int(MS_FRAME_LIMIT)) { buffer, count in
        count = captureStack(from: caller, into: buffer)
      }
    leave(
      CrumbContents(message: MS_WORD_ARRIVAL, data: data, hop: id), .debug, MS_WORD_HOP,
      kind: MS_KIND_HOP,
      stack: stack)
  }
}

extension ms_crumb {
  /// Creates the crumb of a hop's step, on the current queue.
  @inline(__always)
  fileprivate init(
    _ step: ms_hop_step, of hop: UInt64, at ticks: UInt64, _ here: ms_queue_stamp
  ) {
    self = ms_hop_crumb(step, hop, ticks)
    flags |= here.flags
    queue_serial = here.serial
    queue_label = here.label
  }
}

extension ms_stack_place {
  /// The position in the form in which `HopArrival` stores it.
  fileprivate var words: (UInt, UInt) {
    (UInt(bitPattern: record), UInt(tag) << 32 | UInt(seed))
  }

  fileprivate init(_ words: (UInt, UInt)) {
    self.init(
      record: UnsafePointer(bitPattern: words.0), tag: UInt32(truncatingIfNeeded: words.1 >> 32),
      seed: UInt32(truncatingIfNeeded: words.1))
  }
}

extension CrumbWriting {
  @inline(__always)
  fileprivate func addStack(to crumb: inout ms_crumb, _ bracket: OpaquePointer, from caller: UInt) {
    let frames = ms_log_frames(bracket)!
    let room = min(Int(stackDepth) + OwnWalk.ownAtMost, Int(MS_FRAME_LIMIT))
    let walk = OwnWalk(from: caller, into: frames, room: room)
    crumb.frames = UnsafePointer(frames + walk.own)
    crumb.frame_count = UInt16(min(walk.count, Int(stackDepth)))
    let isCut = walk.count > Int(stackDepth)
    crumb.walk_end = UInt8((isCut ? MS_WALK_LIMIT : walk.end).rawValue)
  }
}
