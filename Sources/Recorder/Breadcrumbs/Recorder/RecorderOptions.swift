/// The failures that recorded breadcrumbs survive.
public enum LogDurability: Sendable, Hashable {
  /// The death of the process by any cause.
  case process
  /// The death of the process or of the machine. Crumbs since the last sync are lost with the
  /// machine.
  case machine(syncEvery: Duration)
}

/// The crumbs that a recorder records automatically.
public struct AutomaticEvents: OptionSet, Sendable {
  /// The bit mask of the set.
  public let rawValue: UInt32

  /// Creates a set from a bit mask.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The start of the process.
  public static let start = AutomaticEvents(rawValue: 1)
  /// The normal exit of the process.
  public static let exit = AutomaticEvents(rawValue: 2)
  /// SIGTERM, SIGINT and SIGHUP.
  public static let termination = AutomaticEvents(rawValue: 4)
  /// SIGTSTP and SIGCONT: a Linux process's background and foreground. Their handlers end waits
  /// that Linux does not restart (`nanosleep`, `poll`, `sem_timedwait`) with `EINTR` when the
  /// process is continued.
  public static let suspension = AutomaticEvents(rawValue: 8)
  /// A lack of memory.
  public static let memoryPressure = AutomaticEvents(rawValue: 16)
  /// The stack of each call that arrives at a hop.
  public static let hopStacks = AutomaticEvents(rawValue: 32)

  /// Signals of `termination` and `suspension` that no handler sees, because a `DispatchSource`,
  /// `sigwait` or a `signalfd` receives them. To observe such signals, the recorder replaces
  /// `read`, `sigaction` and `sigwait` in the import tables of the loaded modules. Without this
  /// option, call ``BreadcrumbRecorder/recordTermination(signal:)`` at the place where the program
  /// receives the signal. The adapters for Hummingbird and swift-service-lifecycle add this option
  /// to their recorder.
  public static let waitedSignals = AutomaticEvents(rawValue: 64)

  /// The default set, which replaces no function that the program calls.
  public static let standard: AutomaticEvents = [
    .start, .exit, .termination, .memoryPressure, .hopStacks,
  ]
  /// All events.
  public static let all: AutomaticEvents = [.standard, .suspension, .waitedSignals]
}
