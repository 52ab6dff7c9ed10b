/// Contenders that are measured alternately, A B C A B C …, so that a change of the machine's speed affects
/// all of them.
public struct Race {
  /// The contenders, in the order of their turns.
  public let contenders: [Contender]
  /// The number of threads that call at the same time.
  public let threads: Int
  /// The figures of every round, for each contender.
  public private(set) var figures: [String: [Figures]] = [:]

  /// Creates a race, which has not run yet.
  public init(_ contenders: [Contender], threads: Int) {
    self.contenders = contenders
    self.threads = threads
  }

  /// Measures every contender once in each round.
  public mutating func run(rounds: Int) {
    let calls = contenders.map { callsPerLoop($0) }
    for _ in 0..<rounds {
      for (contender, calls) in zip(contenders, calls) {
        figures[contender.name, default: []].append(measure(contender, calls: calls))
      }
    }
  }

  /// Returns one figure of every round of one contender.
  public func values(_ name: String, _ figure: KeyPath<Figures, Double>) -> [Double] {
    figures[name, default: []].map { $0[keyPath: figure] }
  }

  /// Returns the number of calls that take about ten milliseconds, or one in a small run.
  private func callsPerLoop(_ contender: Contender) -> Int {
    let trial = Trial(contender, threads: 1, calls: 2_000, singles: 0)
    trial.run()
    let nanoseconds = trial.outcomes.withLock { $0[0].perCall }
    return min(1_000_000, max(2_000, Int((Settings.isSmall ? 1e6 : 1e7) / max(1, nanoseconds))))
  }

  private func measure(_ contender: Contender, calls: Int) -> Figures {
    let singles = min(calls, Settings.isSmall ? 1_000 : 10_000)
    let trial = Trial(contender, threads: threads, calls: calls, singles: singles)
    trial.run()
    let outcomes = trial.outcomes.withLock { $0 }
    let times = outcomes.flatMap(\.singles)
    return Figures(
      mean: outcomes.map(\.perCall).reduce(0, +) / Double(outcomes.count),
      p50: times.quantile(0.5), p999: times.quantile(0.999), worst: times.max() ?? .nan)
  }
}
