import IncidentModel
import Testing

/// Work that the program's own crumbs begin and end, and a signal that only they tell of.
@Suite("Work in the program's own crumbs") struct PairedCrumbTests {
  private func run(_ ended: Range<Int64>, _ begun: Range<Int64>, step: Bool = false) -> MadeUpRun {
    let run = MadeUpRun()
    run.signs.aliveMonotonic = 90_000_000_000
    for id in ended {
      run.add(.note, "request", [("id", .integer(id))], category: "http")
      if step { run.add(.note, "routed", [("id", .integer(id))], category: "http") }
      run.add(.note, "answered", [("id", .integer(id))], category: "http")
    }
    for id in begun {
      run.add(.note, "request", [("id", .integer(id))], category: "http")
    }
    return run
  }

  private func facts(_ run: MadeUpRun) throws -> [String] {
    try #require(try run.finding("unclean-end")).evidence.map(\.text)
  }

  @Test("What began and did not end is told with its age, once its usual end is known")
  func open() throws {
    let found = try facts(run(1..<9, 20..<22))
    #expect(
      found.contains { $0.hasPrefix("2 × “http: request” without its “answered”: id=20, for ") },
      "\(found)")
  }

  @Test("A damaged time of a beginning is no work that lasts")
  func future() throws {
    let run = run(1..<9, 20..<21)
    run.add(.note, "request", [("id", .integer(99))], category: "http", at: .max - 1)
    run.add(.note, "working")
    #expect(try facts(run).contains { $0.contains("id=20") && !$0.contains("id=99") })
  }

  @Test("Too few pairs teach nothing, nor does a kind that mostly does not end")
  func unknown() throws {
    #expect(try !facts(run(1..<3, 20..<22)).contains { $0.contains("without its") })
    #expect(try !facts(run(1..<9, 20..<60)).contains { $0.contains("without its") })
  }

  @Test("Work that ended is no crumb to show; what else happened is")
  func noise() throws {
    let run = run(1..<9, 20..<21)
    let finding = try #require(try run.finding("unclean-end"))
    #expect(finding.nearby.map(\.text) == [": working", "http: request id=20"])
  }

  @Test(
    "The minutes of a watched executor are no rows; a crumb of the program with the same category is one"
  )
  func minutes() throws {
    let run = run(1..<9, 20..<21)
    run.add(
      .note, "answers", [("executor", .string("pool")), ("beats", .integer(60))],
      category: "latency")
    run.add(.note, "answers", category: "latency")
    let finding = try #require(try run.finding("unclean-end"))
    #expect(
      finding.nearby.map(\.text) == [": working", "http: request id=20", "latency: answers"])
  }

  @Test("A signal in the program's own crumb leads the title")
  func ownSignal() throws {
    let run = run(1..<9, 20..<21)
    run.add(.note, "SIGTERM", category: "service")
    let finding = try #require(try run.finding("unclean-end"))
    #expect(finding.title.hasPrefix("The process received SIGTERM, did not exit, and was killed"))
    #expect(
      finding.evidence.contains {
        $0.text.hasPrefix("the program's crumb “service: SIGTERM” came ")
      })
  }

  @Test("A signal that the program may have sent itself is evidence, and not in the title")
  func sentSignal() throws {
    let run = run(1..<9, 20..<21)
    run.add(.note, "sent SIGTERM to worker 3", category: "pool")
    let finding = try #require(try run.finding("unclean-end"))
    #expect(!finding.title.contains("SIGTERM"), "\(finding.title)")
    #expect(finding.evidence.contains { $0.text.contains("“pool: sent SIGTERM to worker 3”") })
    #expect(!finding.fix.text.contains("asked to end"))
  }
}
