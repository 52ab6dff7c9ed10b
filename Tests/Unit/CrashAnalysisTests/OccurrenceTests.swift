import LogReading
import CrashAnalysis
import IncidentModel
import Testing

/// Sees all events, and which of them findings are about.
private final class Onlooker: AnalysisWitness {
  private(set) var kinds: [CrumbKind] = []
  private(set) var occurrences: [AnalysisOutcome.Occurrences] = []

  func observe(_ batch: EventBatch) {
    for index in 0..<batch.count { kinds.append(batch[index].kind) }
  }

  func finish(_ outcome: AnalysisOutcome) { occurrences = outcome.occurrences }

  /// Of each finding the kinds of the events that it is about.
  var kindsOfOccurrences: [[CrumbKind]] { occurrences.map { $0.events.map { kinds[$0] } } }
}

@Suite struct OccurrenceTests {
  @Test(arguments: [("hang", CrumbKind.hang), ("main-blocked", .uiWork)])
  func aFindingKnowsTheEventThatItIsAbout(_ way: String, _ kind: CrumbKind) throws {
    let log = try Misbehaviour(way, isWrong: true).log
    let onlooker = Onlooker()
    _ = try Analyzer().analyze(LogReader(path: log).events(), input: log, witness: onlooker)
    #expect(onlooker.kindsOfOccurrences.contains([kind]), "\(onlooker.kindsOfOccurrences)")
  }
}
