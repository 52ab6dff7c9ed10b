/// The reaction to a violation.
///
/// Policies combine: `[.log, .record]`. Code sets the default, an affinity may have its own, and
/// `MAINSTAY_POLICY` overrides both without a rebuild; `scoped` overrides all of them.
public struct ViolationPolicy: Sendable, ExpressibleByArrayLiteral {
  /// The frequency of reports for one call site.
  public enum Frequency: Sendable, Equatable {
    /// Only the first violation at the call site.
    case once
    /// The first violation, and every n-th violation after it.
    case every(Int)
    /// Every violation.
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

  /// Combines the effects of `policies`, with the highest of their frequencies.
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

  /// Records a crumb with stack and origin, if there is a recorder.
  public static let record = ViolationPolicy(.record)

  /// Ends the process with a fatal error that states the violation.
  public static let trap = ViolationPolicy(.trap)

  /// Passes the violation to `body`, on the thread of the violation.
  public static func report(_ body: @escaping @Sendable (AffinityViolation) -> Void)
    -> ViolationPolicy
  {
    ViolationPolicy([], reports: [body])
  }

  /// Returns the same policy with another frequency of reports for each call site.
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
