import LogReading
import IncidentModel
import Testing

/// The stream of a log's events beside what somebody sees who follows it.
@Suite(.serialized) struct EventStreamTests {
  @Test(arguments: ["hop-storm", "background-layout", "affinity-drift"])
  func whoFollowsALogSeesItsEvents(_ way: String) throws {
    let log = try Misbehaviour(way, isWrong: true).log
    let crumbs = try LogReader(path: log).read().crumbs
    var followed: [Crumb] = []
    try LogTail(path: log).poll().forEach { followed.append(Crumb($0)) }
    #expect(followed.count == crumbs.count)
    #expect(crumbs.contains { $0.stack != nil } && crumbs.contains { !$0.data.isEmpty })
    for (one, other) in zip(followed.sorted(by: isBefore), crumbs.sorted(by: isBefore)) {
      check(one, is: other)
    }
  }

  private func isBefore(_ one: Crumb, _ other: Crumb) -> Bool {
    (one.thread, one.number) < (other.thread, other.number)
  }

  private func check(_ one: Crumb, is other: Crumb) {
    #expect(one.thread == other.thread && one.number == other.number)
    #expect(one.message == other.message && one.category == other.category)
    #expect(one.kind == other.kind && one.level == other.level)
    #expect(one.queue == other.queue && one.onMain == other.onMain && one.hop == other.hop)
    #expect(one.stack == other.stack)
    #expect(one.data.map { "\($0)" } == other.data.map { "\($0)" })
    #expect(distance(one.monotonic, other.monotonic) < 1000)
    #expect(distance(one.wall, other.wall) < 1000)
  }

  private func distance(_ one: UInt64, _ other: UInt64) -> UInt64 {
    one > other ? one - other : other - one
  }
}
