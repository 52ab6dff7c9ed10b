import Synchronization
import ThreadAffinity

/// What stands between a storm and the code under test: the callbacks to deliver, and what must hold.
///
///     try await CallbackStorm(seed: 7).run(against: { shim in
///       let screen = PriceScreen()
///       shim.callback("received prices") { n in screen.received(n) }
///       shim.onCancel { screen.close() }
///       shim.check("shows the newest") { screen.shown == shim.deliveries }
///     })
public final class Shim: Sendable {
  private struct State {
    var callbacks: [(name: String, body: @Sendable (Int) -> Void)] = []
    var cancel: (@Sendable () -> Void)?
    var checks: [(name: String, holds: @Sendable () -> Bool)] = []
    var failures: [String] = []
    var deliveries = 0
    var hasLifecycle = false
  }

  private let state = Mutex(State())
  private let driver = LifecycleDriver()

  init() {}

  /// Adds a callback that the storm may deliver; `body` is given the number of the delivery, from 1.
  public func callback(_ name: String, _ body: @escaping @Sendable (Int) -> Void) {
    let name = String(name.map { ";\n".contains($0) ? " " : $0 })
    state.withLock { $0.callbacks.append((name, body)) }
  }

  /// Adds a callback that the storm may deliver.
  public func callback(_ name: String, _ body: @escaping @Sendable () -> Void) {
    callback(name) { _ in body() }
  }

  /// Says how the code under test is cancelled; without it the storm never cancels.
  public func onCancel(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = body }
  }

  /// Says what must hold after each step, and at the end; asked on the main queue.
  public func check(_ name: String, _ holds: @escaping @Sendable () -> Bool) {
    state.withLock { $0.checks.append((name, holds)) }
  }

  /// Says that something is wrong; from any thread, at any time.
  public func fail(_ reason: String) {
    state.withLock { $0.failures.append(reason) }
  }

  /// The life of the app or service around the code under test, launched already. A storm goes through
  /// it if it is asked for.
  public var lifecycle: LifecycleDriver {
    state.withLock { $0.hasLifecycle = true }
    return driver
  }

  /// How many deliveries have begun so far.
  public var deliveries: Int { state.withLock { $0.deliveries } }
}

extension Shim {
  /// What a storm may do with it.
  var repertoire: Schedule.Repertoire {
    state.withLock {
      Schedule.Repertoire(
        callbacks: $0.callbacks.map(\.name), canCancel: $0.cancel != nil,
        hasLifecycle: $0.hasLifecycle)
    }
  }

  func launch() async { await driver.move(.launch) }

  func move(_ move: LifecycleDriver.Move) { _ = driver.moveOnMain(move) }

  func cancel() { state.withLock { $0.cancel }?() }

  /// Calls the callback of that name, if there is one.
  func deliver(_ name: String) {
    let found = state.withLock { state in
      state.deliveries += 1
      let body = state.callbacks.first { $0.name == name }?.body
      return (body, state.deliveries)
    }
    found.0?(found.1)
  }

  /// What is wrong so far; to be asked on the main queue.
  func firstFailure() -> String? {
    let (failure, checks) = state.withLock { ($0.failures.first, $0.checks) }
    if let failure { return failure }
    return checks.first { !$0.holds() }.map { "“\($0.name)” does not hold" }
  }
}
