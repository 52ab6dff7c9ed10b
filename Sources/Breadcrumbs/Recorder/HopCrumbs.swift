internal import CBreadcrumbLog
internal import CStackWalk
internal import ThreadAffinity

// Hops may be hot: nothing here allocates, but where a redaction hook is to see the crumb.
extension AffinityCrumbs {
  static func now() -> UInt64 { target.map { ms_log_now($0.log) } ?? 1 }

  static func recordHop(_ step: HopStep, id: UInt64, name: StaticString, site: CallSite) {
    guard let target else { return }
    if target.redact != nil {
      let data = step.data(name, site, target)
      let text = CrumbText(message: step.word.text, data: data, hop: id)
      let stack = target.hopStacks ? step.stack : []
      return leave(text, .debug, "hop", kind: MS_KIND_HOP, stack: stack)
    }
    guard let bracket = ms_log_enter(target.log, MS_KIND_HOP) else { return }
    var crumb = target.shape(
      bracket, kind: UInt8(MS_KIND_HOP.rawValue), .debug, frames: 0, end: MS_WALK_COMPLETE)
    crumb.hop = id
    crumb.flags |= UInt8(MS_CRUMB_HAS_HOP.rawValue)
    var encoder = DataEncoder(bytes: ms_log_data(bracket))
    switch step {
    case .arrival(let caller):
      if target.hopStacks { target.addStack(to: &crumb, bracket, from: caller) }
      encoder.add("name", name)
      encoder.add("at", site)
    case .run(let arrival):
      encoder.add("nanoseconds", Int64(clamping: target.nanoseconds(since: arrival)))
    case .drop:
      break
    }
    encoder.finish(&crumb)
    step.word.withUTF8Buffer { target.append(bracket, &crumb, "hop", $0.baseAddress, $0.count) }
    ms_log_leave(bracket)
  }
}

extension CrumbWriting {
  @inline(__always)
  fileprivate func nanoseconds(since arrival: UInt64) -> UInt64 {
    arrival == 0 ? 0 : ms_log_nanoseconds_since(log, arrival)
  }

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

extension HopStep {
  fileprivate var word: StaticString {
    switch self {
    case .arrival: "arrival"
    case .run: "run"
    case .drop: "drop"
    }
  }

  fileprivate func data(
    _ name: StaticString, _ site: CallSite, _ target: AffinityCrumbs.Target
  ) -> [(key: String, value: CrumbValue)] {
    switch self {
    case .arrival: [("name", .string(name.text)), ("at", .string("\(site)"))]
    case .run(let arrival): [("nanoseconds", .integer(target.nanoseconds(since: arrival)))]
    case .drop: []
    }
  }

  fileprivate var stack: [UInt] {
    guard case .arrival(let caller) = self else { return [] }
    return [UInt](unsafeUninitializedCapacity: Int(MS_FRAME_LIMIT)) { buffer, count in
      count = AffinityCrumbs.captureStack(from: caller, into: buffer)
    }
  }
}

extension DataEncoder {
  @inline(__always)
  fileprivate mutating func add(_ key: StaticString, _ text: StaticString) {
    text.withUTF8Buffer { text in
      advance(
        ms_data_string(
          bytes, size, key.start, key.utf8CodeUnitCount, text.baseAddress, text.count, &isCut))
    }
  }

  @inline(__always)
  fileprivate mutating func add(_ key: StaticString, _ site: CallSite) {
    advance(
      ms_data_place(
        bytes, size, key.start, key.utf8CodeUnitCount, site.file.start,
        site.file.utf8CodeUnitCount, UInt64(site.line), &isCut))
  }

  @inline(__always)
  fileprivate mutating func add(_ key: StaticString, _ number: Int64) {
    advance(ms_data_integer(bytes, size, key.start, key.utf8CodeUnitCount, number, &isCut))
  }

  /// What found no room is not counted.
  @inline(__always)
  private mutating func advance(_ newSize: UInt32) {
    if newSize > size { count += 1 }
    size = newSize
  }
}
