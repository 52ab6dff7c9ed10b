import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// Recording from many threads, and from odd places in them.
struct ThreadTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func aCrumbMayBeLeftFromAnywhere() throws {
    let trial = try Program.run("recorder-trial", ["odd", scratch.log])
    #expect(trial.exitStatus == 0)
    let incident = try scratch.incident()
    let others = incident.crumbs.filter { $0.category != "crowd" }
    #expect(
      others.map(\.message) == [
        "thread or its destructor", "thread or its destructor", "deinit", "inner",
        "outer, after inner",
      ])
    let crowd = Dictionary(
      grouping: incident.crumbs.filter { $0.category == "crowd" }, by: \.thread)
    #expect(crowd.count == 64)
    #expect(crowd.values.allSatisfy { $0.count == 50 })
    #expect(crowd.values.allSatisfy { $0.map(\.number) == $0.map(\.number).sorted() })
    #expect(incident.losses.dropped.isEmpty)
    #expect(Set(crowd.keys).isSubset(of: Set(incident.threads.keys)))
  }

  @Test func shortThreadsGiveBackAllThatTheyTook() throws {
    let trial = try Program.run("recorder-trial", ["churn", scratch.log, "1000"])
    let words = trial.lines.first?.split(separator: " ") ?? []
    #expect(words.first == "threads" && words.dropFirst().first == "20000,")
    let grown = try #require(Int(words.last ?? ""))
    // Where qemu runs it, qemu's own memory grows too.
    #expect(grown < 1024 || isSanitized || isUnderQemu, "kibibytes")
    let incident = try scratch.incident()
    #expect(incident.losses.dropped.isEmpty)
    for kind in [CrumbKind.note, .error, .lifecycle] {
      let kept = UInt64(incident.crumbs(of: kind).count)
      #expect(kept + incident.losses.recycled[kind, default: 0] == 21_000)
      #expect(kept > 200)
    }
    #expect(incident.unread.isEmpty)
  }

  @Test func moreThreadsThanChunksLoseCrumbsThatAreCounted() throws {
    let trial = try Program.run("recorder-trial", ["starve", scratch.log, "200"])
    #expect(trial.exitStatus == 0)
    let incident = try scratch.incident()
    #expect(incident.crumbs.count > 10)
    let dropped = incident.losses.dropped[.note, default: 0]
    #expect(dropped > 0 && UInt64(incident.crumbs.count) + dropped == 200)
  }
}
