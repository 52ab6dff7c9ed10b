import Foundation

/// The extent of a run, from the environment.
public enum Settings {
  /// True if the run only has to show that the benchmark works (`BENCH_SMALL`).
  public static let isSmall = variable("BENCH_SMALL") != nil

  /// The number of rounds: that of `BENCH_ROUNDS`, or `usual`.
  public static func rounds(_ usual: Int) -> Int {
    variable("BENCH_ROUNDS").flatMap { Int($0) } ?? usual
  }

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}
