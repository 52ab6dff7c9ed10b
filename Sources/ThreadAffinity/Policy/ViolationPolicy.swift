/// What a violation leads to.
///
/// Policies combine: `[.log, .record]`. Code sets the global one, an affinity may have its own, and
/// `MAINSTAY_POLICY` overrides both without a rebuild; the policy of a scope is stronger still.
public struct ViolationPolicy: Sendable, ExpressibleByArrayLiteral {
  /// How often one call site speaks.
  public enum Frequency: Sendable, Equatable {
    /// The first time only.
    case once
    /// The first time, and each n-th after it.
    case every(Int)
    /// Each time.
    case always

    func speaks(at occurrence: Int) -> Bool {
      switch self {
      case .once: occurrence == 1
      case .every(let n): (occurrence - 1) % max(n, 1) == 0
      case .always: true
      }
    }
  }

  struct Actions: OptionSet {
    let rawValue: UInt8
    static let log = Actions(rawValue: 1)
    static let record = Actions(rawValue: 2)
    static let trap = Actions(rawValue: 4)
  }

  var actions: Actions
  var reports: [@Sendable (AffinityViolation) -> Void]
  var frequency: Frequency

  init(
    _ actions: Actions, reports: [@Sendable (AffinityViolation) -> Void] = [],
    frequency: Frequency = .once
  ) {
    self.actions = actions
    self.reports = reports
    self.frequency = frequency
  }

  /// Does all that `policies` do, as often as the most frequent of them.
  public init(arrayLiteral policies: ViolationPolicy...) {
    self.init([])
    for policy in policies {
      actions.formUnion(policy.actions)
      reports += policy.reports
      frequency = .moreFrequent(frequency, policy.frequency)
    }
  }

  /// Does nothing.
  public static let ignore = ViolationPolicy([])

  /// Writes one line to standard error.
  public static let log = ViolationPolicy(.log)

  /// Leaves a crumb with stack and origin, where a recorder listens.
  public static let record = ViolationPolicy(.record)

  /// Ends the process, with the reason as its fatal error.
  public static let trap = ViolationPolicy(.trap)

  /// Hands the violation to `body`, on the thread of the violation.
  public static func report(_ body: @escaping @Sendable (AffinityViolation) -> Void)
    -> ViolationPolicy
  {
    ViolationPolicy([], reports: [body])
  }

  /// The same policy, speaking this often for each call site.
  public func repeating(_ frequency: Frequency) -> ViolationPolicy {
    ViolationPolicy(actions, reports: reports, frequency: frequency)
  }

  var isSilent: Bool { actions.isEmpty && reports.isEmpty }
}

extension ViolationPolicy.Frequency {
  fileprivate static func moreFrequent(_ one: Self, _ other: Self) -> Self {
    switch (one, other) {
    case (.always, _), (_, .always): .always
    case (.every(let n), .every(let m)): .every(min(n, m))
    case (.every(let n), .once), (.once, .every(let n)): .every(n)
    case (.once, .once): .once
    }
  }
}
