internal import CQueueState

/// The queue that UI work belongs to. It is not the main thread: on Linux its work often runs on others.
public enum MainQueue {
  /// Whether code that belongs to the main queue may run here.
  public static var isCurrent: Bool { ms_queue_on_main() }
}
