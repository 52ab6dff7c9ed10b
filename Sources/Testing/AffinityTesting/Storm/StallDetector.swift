import Dispatch

internal import CTestProcess

/// Detects that an awaited event depends on work that the storm keeps back: the whole process has been at rest
/// for a second. The speed of the machine has no influence, because a thread that is ready to run without a
/// processor is not at rest.
enum StallDetector {
  private static let step = DispatchTimeInterval.milliseconds(25)
  private static let most = 40
  /// A thread that runs briefly now and then is no progress.
  private static let setback = 8

  /// Waits; false if the process rests, or the event takes longer than `patience`.
  ///
  /// - Parameter comes: Waits until then, and says whether it has come.
  static func completes(
    within patience: DispatchTimeInterval, _ comes: (DispatchTime) -> Bool
  ) -> Bool {
    let deadline = DispatchTime.now() + patience
    var rested = 0
    while rested < most {
      if comes(min(deadline, .now() + step)) { return true }
      if DispatchTime.now() >= deadline { return false }
      rested = ms_process_rests() ? rested + 1 : max(rested - setback, 0)
    }
    return false
  }
}
