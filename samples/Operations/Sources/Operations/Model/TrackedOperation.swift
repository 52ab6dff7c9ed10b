/// An operation that runs in the script, as far as its messages say.
public struct TrackedOperation: Sendable, Hashable {
  /// Where an operation stands.
  public enum State: Sendable, Hashable {
    /// Asked for, while the script is not loaded yet.
    case waiting
    case running
    case succeeded
    case failed(Failure)
  }

  /// Why an operation has failed.
  public enum Failure: Sendable, Hashable {
    /// The script says so.
    case reported
    /// The script could not start it.
    case notStarted
  }

  /// What the script calls it; another one each time it is started.
  public internal(set) var id: OperationID
  /// Where it stands.
  public internal(set) var state = State.waiting
  /// How far the script says it has come, in percent; nil until it says so.
  var reported: Int?

  init(_ id: OperationID) { self.id = id }

  /// How far it has come, in percent.
  public var progress: Int { state == .succeeded ? 100 : reported ?? 0 }

  /// Whether nothing more is expected of it.
  public var isFinished: Bool {
    switch state {
    case .waiting, .running: false
    case .succeeded, .failed: true
    }
  }

  /// Whether it was begun and has come to nothing.
  public var hasFailed: Bool {
    if case .failed = state { true } else { false }
  }
}
