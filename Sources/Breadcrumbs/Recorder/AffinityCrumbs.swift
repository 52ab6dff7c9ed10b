internal import CBreadcrumbLog
internal import CStackWalk
import Synchronization
internal import ThreadAffinity

/// Records what `ThreadAffinity` finds, in the first recorder that is open.
enum AffinityCrumbs {
  // The recorder's address, which counts as a reference; 0 before the first.
  private static let current = Atomic<UInt>(0)

  /// Makes `recorder` the one that violations and hops go to, unless another open one is already.
  /// It then lives as long as the process, as any thread may be inside it; `close` frees its file.
  static func offer(_ recorder: BreadcrumbRecorder) {
    let own = Unmanaged.passRetained(recorder)
    let address = UInt(bitPattern: own.toOpaque())
    var before = current.load(ordering: .acquiring)
    while !(recorderAt(before)?.isRecording ?? false) {
      let (exchanged, original) = current.compareExchange(
        expected: before, desired: address, ordering: .acquiringAndReleasing)
      if exchanged {
        AffinityRecording.install(AffinityCrumbs.self)
        return
      }
      before = original
    }
    own.release()
  }

  private static func recorderAt(_ address: UInt) -> BreadcrumbRecorder? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<BreadcrumbRecorder>.fromOpaque($0).takeUnretainedValue()
    }
  }

  static var recorder: BreadcrumbRecorder? {
    recorderAt(current.load(ordering: .acquiring))
  }
}

extension AffinityCrumbs: AffinityRecorder {
  static func captureStack(
    from caller: UInt, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    let walk = OwnWalk(from: caller, into: start, room: buffer.count)
    start.update(from: start + walk.own, count: walk.count)
    return walk.count
  }

  static func record(_ violation: Violation) {
    var data: [(key: String, value: CrumbValue)] = [
      ("expected", .string(violation.expected)),
      ("occurrence", .integer(violation.occurrence)),
    ]
    if let site = violation.site {
      data.append(("at", .string("\(site)")))
      data.append(("in", .string("\(site.function)")))
    }
    if !violation.isCertain { data.append(("certain", false)) }
    if let task = violation.place.taskID { data.append(("task", .integer(task))) }
    if let name = violation.place.taskName { data.append(("taskName", .string(name))) }
    for origin in violation.origins { data.append(("origin", .string("\(origin)"))) }
    if let origin = violation.origin, !origin.stack.isEmpty {
      data.append(("originStack", .string(hexadecimal(origin.stack))))
    }
    let message = violation.message.isEmpty ? violation.expected : violation.message
    leave(
      CrumbText(message: message, data: data, hop: violation.origin?.hop ?? 0),
      .warning, "affinity", kind: MS_KIND_VIOLATION, stack: violation.stack)
  }

  static func recordUIWork(_ name: StaticString, site: CallSite, nanoseconds: UInt64) {
    leave(
      CrumbText(
        message: name.text,
        data: [
          ("nanoseconds", .integer(nanoseconds)), ("at", .string("\(site)")),
          ("in", .string("\(site.function)")),
        ]),
      .info, "ui", kind: MS_KIND_UI_WORK)
  }

  static func recordAccess(_ name: StaticString, site: CallSite, isWrite: Bool) {
    leave(
      CrumbText(
        message: name.text, data: [("write", .boolean(isWrite)), ("at", .string("\(site)"))]),
      .debug, "access", kind: MS_KIND_NOTE)
  }

  static func leave(
    _ text: CrumbText, _ level: CrumbLevel, _ category: StaticString, kind: ms_kind,
    stack: [UInt] = []
  ) {
    guard let recorder, let text = recorder.redacted(text, level, category),
      let bracket = ms_log_enter(recorder.log, kind)
    else { return }
    let count = min(stack.count, Int(recorder.stackDepth))
    let frames = ms_log_frames(bracket)!
    for index in 0..<count { frames[index] = stack[index] }
    recorder.append(
      bracket, text, level, category, kind: UInt8(kind.rawValue), frames: UInt32(count),
      end: count < stack.count ? MS_WALK_LIMIT : MS_WALK_COMPLETE)
    ms_log_leave(bracket)
  }

  private static func hexadecimal(_ stack: [UInt]) -> String {
    stack.prefix(32).map { String($0, radix: 16) }.joined(separator: " ")
  }
}
