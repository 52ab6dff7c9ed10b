import BreadcrumbLog
import CrashAnalysis
import IncidentModel
import Testing

/// The stream of events beside the crumbs that the same log holds.
@Suite(.serialized) struct EventStreamTests {
  @Test(arguments: ["hop-storm", "background-layout", "affinity-drift"])
  func eventsAreTheLogsCrumbs(_ way: String) throws {
    let log = try Misbehaviour(way, isWrong: true).log
    let crumbs = try LogReader(path: log).read().crumbs
    let events = try LogReader(path: log).events()
    let batch = EventBatch(queues: events.queues)
    var at = 0
    while try events.next(into: batch) {
      for index in 0..<batch.count {
        check(batch[index], is: crumbs[at])
        at += 1
      }
    }
    #expect(at == crumbs.count)
  }

  @Test(arguments: ["store-delegate", "hop-storm", "background-crash"])
  func incidentIsJudgedAsItsLogIs(_ way: String) throws {
    let log = try Misbehaviour(way, isWrong: true).log
    let incident = try LogReader(path: log).read()
    let streamed = try analyzed(log)
    let source = IncidentEvents(
      incident, format: "breadcrumbs", recording: try #require(streamed.logs.keys.first))
    let whole = try Analyzer(symbols: Symbols()).analyze(source, input: log)
    #expect(whole.examples.keys.sorted() == streamed.examples.keys.sorted())
    #expect(whole.logs.values.map(\.counts) == streamed.logs.values.map(\.counts))
  }

  private func check(_ event: Event, is crumb: Crumb) {
    #expect(event.thread == crumb.thread && event.number == crumb.number)
    #expect(event.message == crumb.message && event.category == crumb.category)
    #expect(event.kind == crumb.kind && event.level == crumb.level)
    #expect(event.queue == crumb.queue && event.onMain == crumb.onMain && event.hop == crumb.hop)
    #expect(event.frames == crumb.stack?.frames ?? [])
    #expect(event.data.map { "\($0)" } == crumb.data.map { "\($0)" })
    #expect(distance(event.monotonic, crumb.monotonic) < 1000)
    #expect(distance(event.wall, crumb.wall) < 1000)
  }

  private func distance(_ one: UInt64, _ other: UInt64) -> UInt64 {
    one > other ? one - other : other - one
  }
}
