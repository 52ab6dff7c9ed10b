/// The figures of one contender in one round.
public struct Figures: Sendable {
  /// The processor time of the calling thread per call of a loop: mean over calls and threads.
  public var mean: Double
  /// The median elapsed time of single calls of all threads.
  public var p50: Double
  /// The elapsed time below which 99.9 % of the single calls stay.
  public var p999: Double
  /// The elapsed time of the slowest single call.
  public var worst: Double
}
