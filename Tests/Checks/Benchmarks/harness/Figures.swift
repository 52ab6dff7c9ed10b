/// What one contender showed in one round.
public struct Figures: Sendable {
  /// Processor time of the calling thread for each call of a loop: mean over calls and threads.
  public var mean: Double
  /// Elapsed time of single calls of all threads: the median.
  public var p50: Double
  /// What 999 of 1,000 single calls stayed below.
  public var p999: Double
  /// The slowest single call.
  public var worst: Double
}
