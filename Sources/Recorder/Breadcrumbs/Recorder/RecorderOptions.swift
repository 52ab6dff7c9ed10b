/// The events that recorded breadcrumbs survive.
public enum LogDurability: Sendable, Hashable {
  /// The death of the process, however it dies.
  case process
  /// Also the death of the machine, except for crumbs since the last sync.
  case machine(syncEvery: Duration)
}

/// The crumbs that a recorder records automatically.
public struct AutomaticEvents: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: UInt32

  /// A set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The start of the process.
  public static let start = AutomaticEvents(rawValue: 1)
  /// Its normal exit.
  public static let exit = AutomaticEvents(rawValue: 2)
  /// SIGTERM, SIGINT and SIGHUP.
  public static let termination = AutomaticEvents(rawValue: 4)
  /// SIGTSTP and SIGCONT: a Linux process's background and foreground. Their handlers end waits that Linux does not
  /// restart (`nanosleep`, `poll`, `sem_timedwait`) with `EINTR` when the process is continued.
  public static let suspension = AutomaticEvents(rawValue: 8)
  /// Low memory.
  public static let memoryPressure = AutomaticEvents(rawValue: 16)
  /// The stack of each call that arrives at a hop.
  public static let hopStacks = AutomaticEvents(rawValue: 32)

  /// Signals of `termination` and `suspension` that no handler sees, because a `DispatchSource`, `sigwait` or a
  /// `signalfd` takes them. To see them, the recorder replaces `read`, `sigaction` and `sigwait` in the import tables
  /// of the loaded modules. Without this, call ``BreadcrumbRecorder/recordTermination(signal:)`` where the
  /// program takes the signal.
  public static let waitedSignals = AutomaticEvents(rawValue: 64)

  /// The default set: it changes no call of the program itself.
  public static let standard: AutomaticEvents = [
    .start, .exit, .termination, .memoryPressure, .hopStacks,
  ]
  /// All of them.
  public static let all: AutomaticEvents = [.standard, .suspension, .waitedSignals]
}
