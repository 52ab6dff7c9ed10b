/// What it takes for a breadcrumb to count as kept.
public enum LogDurability: Sendable, Hashable {
  /// It survives any death of the process.
  case process
  /// It survives the machine's as well, but for what came since the last sync.
  case machine(syncEvery: Duration)
}

/// What a recorder records by itself.
public struct AutomaticCrumbs: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: UInt32

  /// A set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// That the process has started.
  public static let start = AutomaticCrumbs(rawValue: 1)
  /// That it ends by itself.
  public static let exit = AutomaticCrumbs(rawValue: 2)
  /// SIGTERM, SIGINT and SIGHUP.
  public static let termination = AutomaticCrumbs(rawValue: 4)
  /// SIGTSTP and SIGCONT: a Linux process's background and foreground.
  public static let suspension = AutomaticCrumbs(rawValue: 8)
  /// That the kernel runs short of memory.
  public static let memoryPressure = AutomaticCrumbs(rawValue: 16)
  /// Where each hop came from: the stack of its arrival.
  public static let hopStacks = AutomaticCrumbs(rawValue: 32)

  /// All of them.
  public static let all: AutomaticCrumbs = [
    .start, .exit, .termination, .suspension, .memoryPressure, .hopStacks,
  ]
}
