/// The state of the recording of waiting tasks.
public enum WaitingTaskRecording: Sendable, Equatable {
  /// The recording was not requested.
  case off
  /// Each task is recorded when it begins to wait. Crashes and hangs list the tasks that still wait.
  case on
  /// The recording was requested but is unavailable, for this reason.
  case unavailable(String)
}
