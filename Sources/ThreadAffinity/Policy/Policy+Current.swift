import Synchronization

extension Policy {
  /// The policy of every affinity without one of its own; `[.log, .record]` unless set.
  public static var global: Policy {
    get { setByCode.withLock { $0 } ?? [.log, .record] }
    set {
      setByCode.withLock { $0 = newValue }
      Environment.current.announce(overriding: "the policy set in code")
    }
  }

  /// Runs `body` under this policy, and everything it calls or awaits; for tests.
  ///
  /// Calls that go through our hops take the scope with them; blocks sent by other means leave it.
  public func scoped<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = Policy.$scope.withValue(self) {
      Swift.Result { () throws(Failure) in try body() }
    }
    return try outcome.get()
  }

  /// Runs `body` under this policy, and everything it calls or awaits; for tests.
  public func scoped<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Policy.$scope.withValue(self, operation: body)
  }

  /// The policy that holds for an affinity named `name` which has `own`.
  static func effective(for name: String, own: Policy?) -> Policy {
    if let scope = scope ?? everywhere { return scope }
    if let ordered = Environment.current.policy(for: name) {
      if own != nil { Environment.current.announce(overriding: "the policy of \(name)") }
      return ordered
    }
    return own ?? global
  }

  /// The policy of the scope around the caller.
  @TaskLocal static var scope: Policy?

  /// The policy wherever no scope is, stronger than the environment and any affinity's own; for tests,
  /// which must hear of violations on threads that no scope reaches.
  package static var everywhere: Policy? {
    get { setEverywhere.withLock { $0 } }
    set { setEverywhere.withLock { $0 = newValue } }
  }

  private static let setEverywhere = Mutex<Policy?>(nil)
  private static let setByCode = Mutex<Policy?>(nil)
}
