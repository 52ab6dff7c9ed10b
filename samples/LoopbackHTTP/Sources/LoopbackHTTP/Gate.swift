import Dispatch

/// A gate that a handler waits at until a test opens it: late answers without a clock.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Makes a closed gate.
  public init() {}

  /// Opens it, for good.
  public func open() { semaphore.signal() }

  /// Waits until it is open.
  public func pass() {
    semaphore.wait()
    semaphore.signal()
  }
}
