internal import CRecorder
import Synchronization

/// Work that continues while the app or service is in the background.
public final class BackgroundTask: Sendable {
  /// The name of the work.
  public let name: String

  private let id: UInt64
  private let recorder: BreadcrumbRecorder
  private let state = Atomic<UInt8>(running)

  private static let running: UInt8 = 0
  private static let expired: UInt8 = 1
  private static let ended: UInt8 = 2

  fileprivate init(_ name: String, id: UInt64, recorder: BreadcrumbRecorder) {
    self.name = name
    self.id = id
    self.recorder = recorder
  }

  /// Records that the work is done. Further calls have no effect.
  public func end() {
    let before = state.exchange(Self.ended, ordering: .acquiringAndReleasing)
    if before != Self.ended { recorder.recordTask(name, id: id, MS_WORD_END) }
  }

  /// Records that the work has run out of time, for example when the system reports that. Has no
  /// effect after `end()`.
  public func expire() {
    let expires = state.compareExchange(
      expected: Self.running, desired: Self.expired, ordering: .acquiringAndReleasing
    ).exchanged
    if expires { recorder.recordTask(name, id: id, MS_WORD_EXPIRED, level: .warning) }
  }
}

extension BreadcrumbRecorder {
  /// Records that background work begins; `end()` records that the work is done. If the work is not
  /// done within `limit`, the recorder records that the work has run out of time.
  @inline(never)
  public func beginBackgroundTask(_ name: String, expiringAfter limit: Duration? = nil)
    -> BackgroundTask
  {
    let id = tasks.add(1, ordering: .relaxed).newValue
    let task = BackgroundTask(name, id: id, recorder: self)
    recordTask(name, id: id, MS_WORD_BEGIN, walks: true)
    if let limit, !ms_is_off() { timers.after(limit) { task.expire() } }
    return task
  }

  fileprivate func recordTask(
    _ name: String, id: UInt64, _ step: String, level: CrumbLevel = .notice, walks: Bool = false
  ) {
    var crumb = beginCrumb(kind: UInt8(MS_KIND_BACKGROUND_TASK.rawValue))
    crumb.add(MS_KEY_TASK, .integer(id))
    crumb.add(MS_KEY_STEP, .string(step))
    leave(endCrumb(crumb, name, level, "background task", walks: walks))
  }
}
