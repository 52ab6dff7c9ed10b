import Synchronization

extension ViolationPolicy {
  /// The policy of every affinity that has no policy of its own; `[.log, .record]` by default.
  ///
  /// Setting a policy, like opening a recorder, also explains failed main-actor checks of the Swift runtime
  /// before they end the process.
  public static var `default`: ViolationPolicy {
    get { setByCode.withLock { $0 } ?? [.log, .record] }
    set {
      setByCode.withLock { $0 = newValue }
      MainActorChecks.explain()
      Environment.current.announce(overriding: "the policy set in code")
    }
  }

  /// Runs `body`, and all code that it calls or awaits, under this policy; for tests.
  ///
  /// Calls through Mainstay's hops keep the policy; blocks that are enqueued in other ways do not.
  public func scoped<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = ViolationPolicy.$scope.withValue(self) {
      Swift.Result { () throws(Failure) in try body() }
    }
    return try outcome.get()
  }

  /// Runs `body`, and all code that it calls or awaits, under this policy; for tests.
  public func scoped<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await ViolationPolicy.$scope.withValue(self, operation: body)
  }

  /// The policy in force for an affinity named `name` whose own policy is `own`.
  static func effective(for name: String, own: ViolationPolicy?) -> ViolationPolicy {
    if let scope = scope ?? everywhere { return scope }
    if let ordered = Environment.current.policy(for: name) {
      if own != nil { Environment.current.announce(overriding: "the policy of \(name)") }
      return ordered
    }
    return own ?? `default`
  }

  /// The policy of the enclosing `scoped` call.
  @TaskLocal static var scope: ViolationPolicy?

  /// The policy outside of scopes, which overrides the environment and each affinity's own policy. Tests set
  /// it to observe violations on threads that inherit no scope.
  package static var everywhere: ViolationPolicy? {
    get { setEverywhere.withLock { $0 } }
    set {
      setEverywhere.withLock { $0 = newValue }
      MainActorChecks.explain()
    }
  }

  /// Wraps work that is sent to an actor or an event loop, to carry a test's context along.
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
