internal import CRecorder
internal import LogWords
import Synchronization

/// Work that continues while the app or service is in the background.
public final class RecordedBackgroundTask: Sendable {
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

  /// Records that the work is done. Further calls do nothing.
  public func end() {
    let before = state.exchange(Self.ended, ordering: .acquiringAndReleasing)
    if before != Self.ended { recorder.recordTask(name, id: id, .end) }
  }

  /// Records that the time is up, if the system says so; does nothing once the work is done.
  public func expire() {
    let expires = state.compareExchange(
      expected: Self.running, desired: Self.expired, ordering: .acquiringAndReleasing
    ).exchanged
    if expires { recorder.recordTask(name, id: id, .expired, level: .warning) }
  }
}

extension BreadcrumbRecorder {
  /// Records that background work begins; `end()` records that it is done. If it is not done after
  /// `limit`, that is recorded too.
  @inline(never)
  public func beginBackgroundTask(_ name: String, expiringAfter limit: Duration? = nil)
    -> RecordedBackgroundTask
  {
    let id = tasks.add(1, ordering: .relaxed).newValue
    let task = RecordedBackgroundTask(name, id: id, recorder: self)
    if let text = taskText(name, id: id, .begin, .notice),
      let bracket = ms_log_enter(log, MS_KIND_BACKGROUND_TASK)
    {
      var end = MS_WALK_COMPLETE
      let frames = ms_walk_here(ms_log_frames(bracket), stackDepth, 1, &end)
      appendTask(bracket, text, .notice, frames: frames, end: end)
      ms_log_leave(bracket)
    }
    if let limit { timers.after(limit) { task.expire() } }
    return task
  }

  fileprivate func recordTask(
    _ name: String, id: UInt64, _ step: TaskStep, level: CrumbLevel = .notice
  ) {
    guard let text = taskText(name, id: id, step, level),
      let bracket = ms_log_enter(log, MS_KIND_BACKGROUND_TASK)
    else { return }
    appendTask(bracket, text, level, frames: 0, end: MS_WALK_COMPLETE)
    ms_log_leave(bracket)
  }

  private func taskText(
    _ name: String, id: UInt64, _ step: TaskStep, _ level: CrumbLevel
  ) -> CrumbText? {
    let data: [(key: String, value: CrumbValue)] = [
      (LogKey.task, .integer(id)), (LogKey.step, .string(step.rawValue)),
    ]
    return redacted(CrumbText(message: name, data: data), level, "background task")
  }

  private func appendTask(
    _ bracket: OpaquePointer, _ text: CrumbText, _ level: CrumbLevel, frames: UInt32,
    end: ms_walk_end
  ) {
    append(
      bracket, text, level, "background task", kind: UInt8(MS_KIND_BACKGROUND_TASK.rawValue),
      frames: frames, end: end)
  }
}
