import Dispatch

internal import CTestProcess

/// When what is awaited is thought to wait itself, for something that is kept back: once the whole process has
/// rested for a second. A slow machine has no say in it, for what could run and has no processor does not rest.
enum StallDetector {
  private static let step = DispatchTimeInterval.milliseconds(25)
  private static let most = 40
  /// Something that runs for a moment now and then is no progress.
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
