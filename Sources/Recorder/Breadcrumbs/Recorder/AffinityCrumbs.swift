internal import CRecorder
import Synchronization
internal import ThreadAffinity

/// Records the violations and hops that `ThreadAffinity` reports, in the most recently opened
/// recorder.
enum AffinityCrumbs {
  /// The part of a recorder to which violations are recorded. Any thread may use a target at any
  /// time, so the target and the memory of its log live as long as the process; the file does not.
  final class Target: CrumbWriting, Sendable {
    nonisolated(unsafe) let log: OpaquePointer
    let stackDepth: UInt32
    let hopStacks: Bool
    let redact: (@Sendable (inout CrumbDraft) -> Void)?

    init(_ recorder: BreadcrumbRecorder) {
      log = recorder.log
      stackDepth = recorder.stackDepth
      hopStacks = recorder.hopStacks
      redact = recorder.redact
    }
  }

  private static let open = Mutex<[Target]>([])
  // The address of the last element of `open`, which is never freed; 0 if `open` is empty.
  private static let current = Atomic<UInt>(0)

  /// Makes `recorder` the target of violations and hops.
  static func begin(_ recorder: BreadcrumbRecorder) {
    let target = Target(recorder)
    _ = Unmanaged.passRetained(target)
    change { $0.append(target) }
    AffinityRecording.install(AffinityCrumbs.self)
    ms_log_note_facts(recorder.log)
  }

  /// Removes `recorder`. The most recently opened of the remaining recorders becomes the target.
  static func end(_ recorder: BreadcrumbRecorder) {
    change { $0.removeAll { $0.log == recorder.log } }
  }

  private static func change(_ edit: (inout sending [Target]) -> Void) {
    open.withLock { open in
      edit(&open)
      let last = open.last.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
      current.store(last ?? 0, ordering: .releasing)
    }
  }

  static var target: Target? {
    UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)).map {
      Unmanaged<Target>.fromOpaque($0).takeUnretainedValue()
    }
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

  static func record(_ violation: AffinityViolation) {
    var data: [(key: String, value: CrumbValue)] = [
      (MS_KEY_EXPECTED, .string(violation.expected)),
      (MS_KEY_OCCURRENCE, .integer(violation.occurrence)),
    ]
    if let site = violation.site {
      data.append((MS_KEY_SITE, .string("\(site)")))
      data.append((MS_KEY_FUNCTION, .string("\(site.function)")))
    }
    if violation.isUIWork { data.append((MS_KEY_UI, true)) }
    if !violation.isCertain { data.append((MS_KEY_CERTAIN, false)) }
    if let task = violation.place.taskID { data.append((MS_KEY_TASK, .integer(task))) }
    if let name = violation.place.taskName { data.append((MS_KEY_TASK_NAME, .string(name))) }
    // A crumb has room for only one stack, which follows its origin.
    let told = violation.origins.firstIndex { !$0.frames.isEmpty }
    for (index, origin) in violation.origins.enumerated() {
      data.append((MS_KEY_ORIGIN, .string(origin.text)))
      if index == told {
        data.append((MS_KEY_ORIGIN_STACK, .string(text(of: origin.frames.prefix(32)))))
      }
    }
    let message = violation.message.isEmpty ? violation.expected : violation.message
    leave(
      CrumbContents(message: message, data: data, hop: violation.origin?.hop ?? 0),
      .warning, "affinity", kind: MS_KIND_VIOLATION, stack: violation.frames)
    ViolationWatch.tell(violation)
  }

  /// Formats a stack as hexadecimal return addresses, innermost first.
  private static func text(of stack: some Sequence<UInt>) -> String {
    stack.map { String($0, radix: 16) }.joined(separator: " ")
  }

  static func recordUIWork(_ name: StaticString, site: CallSite, nanoseconds: UInt64) {
    leave(
      CrumbContents(
        message: name.text,
        data: [
          (MS_KEY_NANOSECONDS, .integer(nanoseconds)), (MS_KEY_SITE, .string("\(site)")),
          (MS_KEY_FUNCTION, .string("\(site.function)")),
        ]),
      .info, "ui", kind: MS_KIND_UI_WORK)
  }

  static func recordAccess(_ name: StaticString, site: CallSite, isWrite: Bool) {
    leave(
      CrumbContents(
        message: name.text,
        data: [(MS_KEY_WRITE, .boolean(isWrite)), (MS_KEY_SITE, .string("\(site)"))]),
      .debug, MS_WORD_ACCESS, kind: MS_KIND_NOTE)
  }

  static func leave(
    _ contents: CrumbContents, _ level: CrumbLevel, _ category: String, kind: ms_kind,
    stack: [UInt] = []
  ) {
    target?.leave(contents, level, category, kind: UInt8(kind.rawValue), stack: stack)
  }
}

extension ViolationOrigin {
  /// The origin as text, for example `enqueued at App/Feed.swift:12 on queue net (thread 41)`.
  fileprivate var text: String { "\(kind.rawValue) at \(site) on \(place)" }
}
