/// What a crash handler records, and how long it may take.
public struct CrashOptions: Sendable {
  /// How long the stacks of the other threads may take at most; zero leaves them out.
  public var otherThreads: Duration
  /// Whether SIGQUIT, which asks a process to die and show where it was, is recorded too.
  public var recordsQuit: Bool

  /// All threads within a second, and no SIGQUIT, unless told otherwise.
  public init(otherThreads: Duration = .seconds(1), recordsQuit: Bool = false) {
    self.otherThreads = otherThreads
    self.recordsQuit = recordsQuit
  }
}

extension Duration {
  /// Whole nanoseconds, zero at least.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !whole.overflow else { return seconds < 0 ? 0 : .max }
    return UInt64(max(whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue, 0))
  }
}
