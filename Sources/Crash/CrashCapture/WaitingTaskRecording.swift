/// Whether the tasks that wait are noted.
public enum WaitingTaskRecording: Sendable, Equatable {
  /// Not requested.
  case off
  /// Each task is noted where it begins to wait, and a crash and a hang list those that still do.
  case on
  /// It was asked for and is not possible, for this reason.
  case unavailable(String)
}
