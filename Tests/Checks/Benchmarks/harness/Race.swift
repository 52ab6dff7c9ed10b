/// Contenders that are measured in turn, A B C A B C …, so that a machine that drifts drifts for all.
public struct Race {
  /// Who takes part, in the order of their turns.
  public let contenders: [Contender]
  /// How many threads call at the same time.
  public let threads: Int
  /// For each contender, the figures of every round.
  public private(set) var figures: [String: [Figures]] = [:]

  /// Makes a race that has not been run.
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

  /// One figure of every round of one contender.
  public func values(_ name: String, _ figure: KeyPath<Figures, Double>) -> [Double] {
    figures[name, default: []].map { $0[keyPath: figure] }
  }

  /// Enough calls for about ten milliseconds.
  private func callsPerLoop(_ contender: Contender) -> Int {
    let trial = Trial(contender, threads: 1, calls: 2_000, singles: 0)
    trial.run()
    let nanoseconds = trial.outcomes.withLock { $0[0].perCall }
    return min(1_000_000, max(2_000, Int(10_000_000 / max(1, nanoseconds))))
  }

  private func measure(_ contender: Contender, calls: Int) -> Figures {
    let trial = Trial(contender, threads: threads, calls: calls, singles: min(calls, 20_000))
    trial.run()
    let outcomes = trial.outcomes.withLock { $0 }
    let singles = outcomes.flatMap(\.singles)
    return Figures(
      mean: outcomes.map(\.perCall).reduce(0, +) / Double(outcomes.count),
      p50: singles.quantile(0.5), p999: singles.quantile(0.999), worst: singles.max() ?? .nan)
  }
}
