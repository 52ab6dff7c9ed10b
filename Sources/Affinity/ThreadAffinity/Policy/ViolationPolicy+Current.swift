import Synchronization

extension ViolationPolicy {
  /// The policy of every affinity that has none; `[.log, .record]` by default.
  ///
  /// Setting it, like opening a recorder, also explains the checks of the main actor that the Swift runtime makes
  /// itself, before they end the process.
  public static var `default`: ViolationPolicy {
    get { setByCode.withLock { $0 } ?? [.log, .record] }
    set {
      setByCode.withLock { $0 = newValue }
      MainActorChecks.explain()
      Environment.current.announce(overriding: "the policy set in code")
    }
  }

  /// Runs `body`, and everything it calls or awaits, under this policy; for tests.
  ///
  /// Calls through our hops keep the policy; blocks sent in other ways do not.
  public func scoped<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = ViolationPolicy.$scope.withValue(self) {
      Swift.Result { () throws(Failure) in try body() }
    }
    return try outcome.get()
  }

  /// Runs `body`, and everything it calls or awaits, under this policy; for tests.
  public func scoped<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await ViolationPolicy.$scope.withValue(self, operation: body)
  }

  /// The policy that holds for an affinity named `name` which has `own`.
  static func effective(for name: String, own: ViolationPolicy?) -> ViolationPolicy {
    if let scope = scope ?? everywhere { return scope }
    if let ordered = Environment.current.policy(for: name) {
      if own != nil { Environment.current.announce(overriding: "the policy of \(name)") }
      return ordered
    }
    return own ?? `default`
  }

  /// The policy of the scope around the caller.
  @TaskLocal static var scope: ViolationPolicy?

  /// The policy wherever no scope is, stronger than the environment and any affinity's own; for tests,
  /// which must hear of violations on threads that no scope reaches.
  package static var everywhere: ViolationPolicy? {
    get { setEverywhere.withLock { $0 } }
    set {
      setEverywhere.withLock { $0 = newValue }
      MainActorChecks.explain()
    }
  }

  /// Context carried along with work that is sent to an actor; for tests.
  package static var carrying: (@Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void)?
  {
    get { setCarrying.withLock { $0 } }
    set { setCarrying.withLock { $0 = newValue } }
  }

  private static let setCarrying = Mutex<
    (@Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void)?
  >(nil)
  private static let setEverywhere = Mutex<ViolationPolicy?>(nil)
  private static let setByCode = Mutex<ViolationPolicy?>(nil)
}
