/// What recorded breadcrumbs survive.
public enum LogDurability: Sendable, Hashable {
  /// The death of the process, however it dies.
  case process
  /// Also the death of the machine, except for crumbs since the last sync.
  case machine(syncEvery: Duration)
}

/// What a recorder records automatically.
public struct AutomaticCrumbs: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: UInt32

  /// A set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The start of the process.
  public static let start = AutomaticCrumbs(rawValue: 1)
  /// Its normal exit.
  public static let exit = AutomaticCrumbs(rawValue: 2)
  /// SIGTERM, SIGINT and SIGHUP.
  public static let termination = AutomaticCrumbs(rawValue: 4)
  /// SIGTSTP and SIGCONT: a Linux process's background and foreground.
  public static let suspension = AutomaticCrumbs(rawValue: 8)
  /// Low memory.
  public static let memoryPressure = AutomaticCrumbs(rawValue: 16)
  /// The stack of each call that arrives at a hop.
  public static let hopStacks = AutomaticCrumbs(rawValue: 32)

  /// All of them.
  public static let all: AutomaticCrumbs = [
    .start, .exit, .termination, .suspension, .memoryPressure, .hopStacks,
  ]
}
