import IncidentModel
import Testing

@Suite("What is made of something watched that did not answer")
struct HeldExecutorTests {
  private static func data(
    _ milliseconds: Int64, name: String = "", doing: String = "", thread: Int64 = 7,
    more: [(key: String, value: CrumbValue)] = []
  ) -> [(key: String, value: CrumbValue)] {
    [
      ("milliseconds", .integer(milliseconds)), ("name", .string(name)), ("doing", .string(doing)),
      ("thread", .integer(thread)),
    ] + more
  }

  @Test(
    "Whoever got no processor is not accused",
    arguments: [
      ("main queue", "", "main-blocked"), ("pool", "medium", "pool-blocked"),
      ("queue", "com.example.rows", "queue-blocked"), ("loop", "connections", "loop-blocked"),
    ])
  func starvedAccusesNobody(category: String, name: String, rule: String) throws {
    let run = MadeUpRun()
    run.add(
      .hang, "does not answer",
      Self.data(2_000, name: name, doing: "starved", more: [("pressure", .integer(81))]),
      category: category, stack: ["count()"])
    let report = try run.report()
    let finding = try #require(report.entries.map(\.finding).first { $0.rule == rule })
    #expect(finding.severity == .warning)
    #expect(finding.culprit == nil && finding.title.contains("got no processor"))
    #expect(finding.evidence.contains { $0.text.contains("81 %") })
    #expect(report.recordings.first?.manner?.contains("hung") == false)
  }

  @Test("What gets no processor at first and is held then is one hang, of who holds it")
  func starvedThenHeld() throws {
    let run = MadeUpRun()
    for (doing, milliseconds) in [("starved", 500), ("blocked", 1_000)] as [(String, Int64)] {
      run.add(
        .hang, "does not answer", Self.data(milliseconds, name: "a", doing: doing),
        category: "queue", stack: ["libc.so.6!usleep", "readA()"])
    }
    run.add(.hang, "answers again", Self.data(3_000, name: "a"), category: "queue")
    let findings = try run.report().entries.map(\.finding).filter { $0.rule == "queue-blocked" }
    #expect(findings.map(\.title) == ["readA() held queue a for 3 s"])
  }

  @Test("What hangs, ends, and hangs again is two hangs")
  func twice() throws {
    let run = MadeUpRun()
    for doing in ["starved", "blocked"] {
      run.add(
        .hang, "does not answer", Self.data(500, name: "a", doing: doing), category: "queue",
        stack: ["readA()"])
      run.add(.hang, "answers again", Self.data(900, name: "a"), category: "queue")
    }
    let findings = try run.report().entries.map(\.finding).filter { $0.rule == "queue-blocked" }
    #expect(findings.count == 2)
  }

  @Test("Two that hang at once are told apart, and each ends by itself")
  func twoAtOnce() throws {
    let run = MadeUpRun()
    run.add(
      .hang, "does not answer", Self.data(500, name: "a", doing: "blocked"), category: "queue",
      stack: ["libc.so.6!usleep", "readA()"])
    run.add(
      .hang, "does not answer", Self.data(600, name: "b", doing: "busy"), category: "queue",
      stack: ["countB()"])
    run.add(.hang, "answers again", Self.data(1_500, name: "a"), category: "queue")
    let titles = try run.report().entries.map(\.finding.title)
    #expect(titles.contains { $0.contains("readA() held queue a for 1.5 s") }, "\(titles)")
    #expect(
      titles.contains { $0.contains("countB() held queue b for more than 600 ms") },
      "\(titles)")
  }

  @Test("A watch that ends amid a hang does not say that it lasted to the end")
  func watchedNoMore() throws {
    let run = MadeUpRun(.clean)
    run.add(
      .hang, "does not answer", Self.data(500, name: "a", doing: "blocked"), category: "queue",
      stack: ["readA()"])
    run.add(.hang, "is watched no more", Self.data(900, name: "a"), category: "queue")
    let finding = try #require(try run.finding("queue-blocked"))
    #expect(finding.title.hasSuffix("held queue a for more than 900 ms"))
  }

  @Test(
    "A pool all of whose threads wait for work of others may wait for itself; one that sleeps does not",
    arguments: [("libdispatch.so!dispatch_semaphore_wait", true), ("libc.so.6!usleep", false)])
  func waitsForItself(call: String, mayWait: Bool) throws {
    let run = MadeUpRun()
    run.add(
      .hang, "does not answer",
      Self.data(2_000, name: "medium", doing: "blocked", more: [("threads", .integer(2))]),
      category: "pool", stack: [call, "readA()"])
    run.add(
      .hang, "holds it too", Self.data(0, name: "medium", doing: "blocked", thread: 8),
      category: "pool", stack: [call, "readB()"])
    let findings = try run.report().entries.map(\.finding)
    // One cause is one finding.
    let finding = try #require(findings.first)
    #expect(findings.count == 1 && finding.rule == (mayWait ? "sync-deadlock" : "pool-blocked"))
    #expect(finding.culprit?.function == "readA()")
    #expect(finding.cause.compactMap(\.place?.function) == ["readA()", "readB()"])
    let facts = finding.evidence + (finding.merged ?? []).flatMap(\.evidence)
    #expect(facts.contains { $0.text.contains("it can never run") } == mayWait)
    #expect(facts.contains { $0.text.contains("2 blocked") })
  }

  @Test(
    "A pool that answers again did not wait for itself, nor did one of whose threads one is not known"
  )
  func waitedForSomebody() throws {
    for isUnknown in [false, true] {
      let run = MadeUpRun()
      run.add(
        .hang, "does not answer",
        Self.data(2_000, name: "medium", doing: "blocked", more: [("threads", .integer(2))]),
        category: "pool", stack: ["libdispatch.so!dispatch_semaphore_wait", "readA()"])
      if !isUnknown {
        run.add(
          .hang, "holds it too", Self.data(0, name: "medium", doing: "blocked", thread: 8),
          category: "pool", stack: ["libdispatch.so!dispatch_group_wait", "readB()"])
        run.add(.hang, "answers again", Self.data(9_000, name: "medium"), category: "pool")
      }
      #expect(try run.finding("sync-deadlock") == nil)
    }
  }

  @Test("A main queue that answers is not said to hang because a pool does")
  func namesWhatHung() throws {
    let run = MadeUpRun(.killedInHang)
    run.add(
      .hang, "does not answer", Self.data(2_000, name: "medium", doing: "blocked"),
      category: "pool", stack: ["readA()"])
    let report = try run.report()
    let all = report.entries.map(\.finding)
    #expect(!all.contains { $0.rule == "main-blocked" })
    let end = try #require(all.first { $0.isVerdict })
    #expect(all.count == 1 && end.merged?.map(\.rule) == ["unclean-end"])
    #expect(end.evidence.contains { $0.text.contains("the cooperative pool (medium)") })
    #expect(end.culprit?.function == "readA()")
  }
}
