import Synchronization

/// Lets the first of several callers through, on whatever threads they are.
public final class Once: Sendable {
  private let isTaken = Atomic(false)

  /// Nobody has come yet.
  public init() {}

  /// Whether the caller is the first.
  public func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
