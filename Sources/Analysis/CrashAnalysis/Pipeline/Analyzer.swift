import IncidentModel

/// Runs every rule over an input's events.
package final class Analyzer {
  private let options: AnalysisOptions
  let frameReader: FrameReader
  private let progress: ((_ events: Int) -> Void)?
  /// The source files that were not read because they are newer than the programs.
  package private(set) var changedSources: Set<String> = []

  /// Creates an analyzer.
  ///
  /// - Parameters:
  ///   - options: The rules to run, and their thresholds.
  ///   - symbols: The symbol source; without it, stacks consist of modules and offsets.
  ///   - progress: Called from time to time with the number of events that have been read.
  package init(
    options: AnalysisOptions = AnalysisOptions(), symbols: (any SymbolSource)? = nil,
    progress: ((_ events: Int) -> Void)? = nil
  ) {
    self.options = options
    self.progress = progress
    frameReader = FrameReader(symbols: symbols, patterns: options.patterns)
  }

  /// Analyzes one input. The result can be merged with the results of other inputs.
  ///
  /// - Parameter witness: Receives the same events as the rules.
  /// - Complexity: O(events); memory is proportional to the findings, not to the events.
  package func analyze(
    _ source: any EventSource, input: String, witness: (any AnalysisWitness)? = nil
  ) throws -> Summary {
    let build = options.trustsSources ? nil : BuildTime(of: source, input: input)
    defer { changedSources.formUnion(build?.changed ?? []) }
    return try BuildTime.$current.withValue(build) {
      try analyzeRun(of: source, input: input, witness: witness)
    }
  }

  private func analyzeRun(
    of source: any EventSource, input: String, witness: (any AnalysisWitness)?
  ) throws -> Summary {
    let run = EndedRun(source: source, input: input, options: options, frameReader: frameReader)
    let rules = RuleBook.rules.filter { options.allows($0.about.id) }.map { $0.init() }
    while try source.next(into: run.batch) {
      fold(run.batch, rules, run)
      witness?.observe(run.batch)
      run.endOfBatch()
      progress?(run.events)
    }
    run.endOfInput()
    for rule in rules { rule.finish(in: run) }
    CauseMerge(run).tell()
    witness?.finish(AnalysisOutcome(run))
    return Summary(of: run)
  }

  private func fold(_ batch: EventBatch, _ rules: [any Rule], _ run: RunState) {
    let interests = rules.map(\.interest)
    for index in 0..<batch.count {
      let event = batch[index]
      let what = Interest(in: event)
      if event.kind == .note { run.passed(note: event) }
      if what.isEmpty { continue }
      for place in rules.indices where !interests[place].isDisjoint(with: what) {
        rules[place].observe(event, in: run)
      }
      run.passed(event)
    }
  }
}
