import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Testing

/// Each rule, from a real program that misbehaves to the finding, and from one that behaves to none.
@Suite(.serialized) struct RuleTests {
  /// A way to misbehave, the rule that must say so, and the culprit it must name.
  struct Expectation: Sendable, CustomTestStringConvertible {
    var way: String
    var rule: String
    var culprit: String?
    var title: String
    /// How often the program is run.
    var runs: Int

    init(
      _ way: String, _ rule: String, culprit: String? = nil, title: String, runs: Int = 1
    ) {
      self.way = way
      self.rule = rule
      self.culprit = culprit
      self.title = title
      self.runs = runs
    }

    var testDescription: String { "\(way): \(rule)" }
  }

  static let expectations = [
    Expectation(
      "leaked-continuation", "leaked-continuation",
      title: "loadPrices(answers:)"),
    Expectation(
      "off-main-ui", "off-main-ui", culprit: "closure #1 in offMainUI(_:)",
      title: "“board layout” in Board.show(_:) ran on queue com.example.work"),
    Expectation(
      "unhopped-callback", "unhopped-callback", culprit: "closure #1 in unhoppedCallback(_:)",
      title: "is called on queue com.example.download and touches “board layout” without a hop"),
    Expectation(
      "observed-callback", "unhopped-callback", culprit: "closure #1 in observedCallback(_:)",
      title: "“callback of downloads”"),
    Expectation(
      "ui-after-background", "ui-after-background", culprit: "show(_:)",
      title: "after the process entered the background"),
    Expectation(
      "background-layout", "ui-after-background", culprit: "closure #1 in backgroundLayout(_:)",
      title: "while background task “refresh prices” ran"),
    Expectation(
      "background-crash", "crash-cause",
      title: "SIGABRT, abort, with no code of the program's own on the stack"),
    Expectation(
      "store-delegate", "unhopped-callback", culprit: "Shop.productsRequest(_:didReceive:)",
      title: "is called on queue com.example.store.products"),
    Expectation(
      "store-delegate", "crash-cause", culprit: "Shop.productsRequest(_:didReceive:)",
      title: "The process died in a check of the main queue: Shop.productsRequest(_:didReceive:)"),
    Expectation(
      "background-layout-crash", "crash-cause", culprit: "closure #1 in backgroundLayoutCrash(_:)",
      title: "SIGABRT, abort in the closure in backgroundLayoutCrash(_:)"),
    Expectation(
      "store-delegate", "isolation-trap", culprit: "Shop.productsRequest(_:didReceive:)",
      title: "the main queue was expected"),
    Expectation(
      "wrong-queue", "wrong-executor", culprit: "closure #1 in wrongQueue(_:)",
      title: """
        “rows are saved” in Repository.save(_:) ran on queue com.example.download; it belongs to \
        queue com.example.repository
        """),
    Expectation(
      "wrong-actor", "wrong-executor", culprit: "closure #1 in wrongActor(_:)",
      title: "“a price is set” in PriceTable.set(_:of:) ran on"),
    Expectation(
      "wrong-thread", "wrong-executor", culprit: "closure #1 in wrongThread(_:)",
      title: "ran on queue com.example.download; it belongs to thread “render”"),
    Expectation(
      "thread-trap", "isolation-trap", culprit: "closure #1 in threadTrap(_:)",
      title: "thread “render” was expected, and the check ended the process"),
    Expectation(
      "thread-trap", "crash-cause", culprit: "closure #1 in threadTrap(_:)",
      title: "The process died in a check of thread “render”: the closure in threadTrap(_:)"),
    Expectation(
      "wrong-main", "wrong-executor", culprit: "closure #1 in wrongMain(_:)",
      title: """
        “stock changes” in Stock.receive(_:) ran on queue com.example.deliveries; it belongs to the \
        main queue
        """),
    Expectation(
      "two-writers", "concurrent-access", culprit: "Cache.store(_:)",
      title: "when the process died: SIGSEGV"),
    Expectation(
      "background-task-leak", "background-task-leak", culprit: "backgroundTaskLeak(_:)",
      title: "Background task “upload” was never ended"),
    Expectation(
      "expired-task", "background-task-leak", culprit: "expiredTask(_:)",
      title: "after it had expired"),
    Expectation(
      "queue-trap", "isolation-trap", culprit: "closure #1 in queueTrap(_:)",
      title: "ran on queue com.example.download"),
    Expectation(
      "actor-trap", "isolation-trap", culprit: "closure #1 in actorTrap(_:)",
      title: "the main actor was expected"),
    Expectation(
      "own-deadlock", "sync-deadlock", culprit: "closure #1 in ownDeadlock(_:)",
      title: "made on the main queue itself"),
    Expectation(
      "sync-deadlock", "sync-deadlock", culprit: "showFromWorker()",
      title: "waitForRows(_:)"),
    Expectation(
      "worker-deadlock", "sync-deadlock", culprit: "showFromWorker()",
      title: "waitForWorker(_:) (hangs.swift:"),
    Expectation(
      "group-deadlock", "sync-deadlock", culprit: "showFromWorker()",
      title: "waitForAll(_:) (hangs.swift:"),
    Expectation(
      "semaphore-deadlock", "sync-deadlock", culprit: "askMain(andWait:)",
      title: "waited too"),
    Expectation(
      "hang", "main-blocked", culprit: "readSlowly(forMilliseconds:)",
      title: "held the main queue for"),
    Expectation(
      "hang-then-killed", "main-blocked", culprit: "readSlowly(forMilliseconds:)",
      title: " → killed"),
    Expectation(
      "hang-then-exit", "main-blocked", culprit: "readSlowly(forMilliseconds:)",
      title: "; then the process exited with status 1, by giveUp() (hangs.swift:"),
    Expectation(
      "pool-blocked", "pool-blocked", culprit: "readSlowly()",
      title: "held the cooperative pool (medium) for"),
    Expectation(
      "pool-taken", "pool-blocked", culprit: "readSlowly()",
      title: "held the cooperative pool (medium) for"),
    Expectation(
      "pool-taken-at-once", "pool-blocked", culprit: "readSlowly()",
      title: "held the cooperative pool (medium) for"),
    Expectation(
      "pool-deadlock", "sync-deadlock", culprit: "waitForRows()",
      title: "All threads of the pool waited for other work, in waitForRows() (pools.swift:"),
    Expectation("pool-deadlock", "sync-deadlock", title: " → killed"),
    Expectation(
      "queue-blocked", "queue-blocked", culprit: "readSlowly()",
      title: "held queue com.example.rows for"),
    Expectation(
      "actor-blocked", "queue-blocked", culprit: "readSlowly()", title: "held actor Ledger for"),
    Expectation(
      "loop-blocked", "loop-blocked", culprit: "readSlowly()",
      title: "held event loop “connections” for"),
    Expectation(
      "main-blocked", "main-blocked", culprit: "showSlowly(_:for:)",
      title: "“board layout” held the main queue for"),
    Expectation(
      "blocking-call", "blocking-call", culprit: "readPrices()",
      title: "blocked a thread of Swift's pool for"),
    Expectation(
      "affinity-drift", "affinity-drift", culprit: "rows",
      title: "“rows” was touched on the main queue and queue com.example.download"),
    Expectation(
      "hop-overtaken", "hop-overtaken", culprit: "closure #1 in hopOvertaken(_:)",
      title: "A call of hop “rows” ran before a call that"),
    Expectation(
      "main-overtaken", "hop-overtaken",
      culprit: "closure #1 in closure #1 in mainOvertaken(_:)",
      title: "A call of hop “rows” ran before a call that"),
    Expectation(
      "two-hops", "hop-overtaken", culprit: "reportDone(through:)",
      title: "A call of hop “done” ran before a call of “progress” to the same object"),
    Expectation(
      "serial-senders", "hop-overtaken", culprit: "closure #1 in serialSenders(_:)",
      title: "A call of hop “count” ran before a call of “rows” to the same object"),
    Expectation(
      "answer-overtakes", "hop-overtaken", culprit: "ask(through:)",
      title: "An answer of hop “rows” ran before a call that"),
    Expectation(
      "concurrent-destination", "hop-overtaken",
      culprit: "closure #1 in concurrentDestination(_:)",
      title: "A call of hop “entries” ran before a call that"),
    Expectation("hop-storm", "hop-storm", title: "50 calls of hop “progress” arrived within"),
    Expectation("slow-hop", "slow-hop", title: "A call of hop “progress” ran"),
    Expectation(
      "late-delivery", "late-delivery", title: "after the process had entered the background"),
    Expectation("dropped-delivery", "late-delivery", title: "was dropped"),
    Expectation("killed", "unclean-end", title: "was killed"),
    Expectation(
      "crash-loop", "crash-loop", title: "misbehave died 3 times in a row within", runs: 4),
    Expectation("cut-log", "torn-log", title: "was truncated while it was written"),
    Expectation("no-room", "torn-log", title: "crumbs did not fit into the log"),
    Expectation(
      "plain-crash", "crash-cause", culprit: "readPast(_:)",
      title: "Index out of range in readPast(_:)"),
  ]

  /// With one processor the pool has one thread: who holds an actor holds the pool.
  static let needTwoThreads: Set = ["pool-deadlock: sync-deadlock", "actor-blocked: queue-blocked"]

  static var expectedHere: [Expectation] {
    let hasTwoThreads = ProcessInfo.processInfo.activeProcessorCount > 1
    return expectations.filter { expectation in
      (hasTwoThreads || !needTwoThreads.contains(expectation.testDescription))
        // What waits for whom is told by the names of Dispatch's functions.
        && (Toolchain.hasWholeLibraries || expectation.rule != "sync-deadlock")
    }
  }

  @Test(arguments: expectedHere.inShort(oneOf: 3))
  func misbehaviourIsFound(_ expectation: Expectation) throws {
    let misbehaviour = try Misbehaviour(expectation.way, isWrong: true, runs: expectation.runs)
    let report = try misbehaviour.report()
    let entry = try #require(
      report.entries.first { $0.finding.rule == expectation.rule },
      "\(report.entries)\n\(misbehaviour.story)")
    #expect(entry.finding.title.contains(expectation.title))
    if let culprit = expectation.culprit { #expect(entry.finding.culprit?.function == culprit) }
  }

  private static let behaving = Set(expectations.map(\.way))
    .subtracting(["background-crash", "sync-deadlock"]).sorted()

  @Test(arguments: behaving.inShort(oneOf: 3))
  func behavingProgramHasNoFindings(_ way: String) throws {
    let runs = Self.expectations.first { $0.way == way }!.runs
    let behaviour = try Misbehaviour(way, isWrong: false, runs: runs)
    let report = try behaviour.report(.unhurried)
    #expect(report.entries.map(\.finding.title) == [], "\(behaviour.story)")
  }

  /// Queues that are the same one in other words, and a violation that is about no place.
  @Test(arguments: ["right-queues", "no-answer"])
  func codeThatRunsWhereItBelongsIsNotAccused(_ way: String) throws {
    let report = try Misbehaviour(way, isWrong: true).report(.unhurried)
    #expect(report.entries.filter { $0.finding.severity > .note }.map(\.finding.title) == [])
  }

  /// Two requests that are served by one function, one of which has no value to unwrap.
  @Test func twoThreadsInOneFunctionAreNoFindingOfTheirOwn() throws {
    let report = try Misbehaviour("two-readers", isWrong: true).report(.unhurried)
    // Whoever reads for seconds may hold the pool meanwhile, where processors are few.
    #expect(report.entries.map(\.finding.rule).filter { $0 != "pool-blocked" } == ["crash-cause"])
  }

  /// A program that never marked UI work, nor moved to the background, reads nothing of either.
  @Test(arguments: ["wrong-queue", "wrong-actor", "wrong-thread", "wrong-main"])
  func serviceWithoutUIReadsNothingOfUI(_ way: String) throws {
    let report = try Misbehaviour(way, isWrong: true).report()
    #expect(!report.entries.isEmpty)
    for finding in report.entries.map(\.finding) {
      let words =
        [finding.rule, finding.title, finding.fix.text] + finding.evidence.map(\.text)
        + finding.cause.map(\.text)
      let all = words.joined(separator: "\n")
      #expect(!all.contains("UI") && !all.contains("-ui") && !all.contains("layout"), "\(all)")
    }
  }

  /// To hop alone would lay out, in the background, what nobody sees.
  @Test func fixOfACrashInTheBackgroundIsTwoThings() throws {
    let report = try Misbehaviour("background-layout-crash", isWrong: true).report()
    let finding = try #require(report.entries.first { $0.finding.rule == "crash-cause" }).finding
    #expect(finding.fix.text.hasPrefix("Hop to the main queue in the closure"))
    #expect(finding.fix.text.hasSuffix("show it at the next foreground transition."))
    #expect(finding.fix.edits.count == 1)
  }

  @Test func checkThatHasToldTheTruthStays() throws {
    let report = try Misbehaviour("store-delegate", isWrong: true).report()
    let finding = try #require(report.entries.first { $0.finding.rule == "crash-cause" }).finding
    #expect(finding.fix.text.hasSuffix("Keep the check: it caught a real bug."))
    #expect(
      finding.cause.last?.text
        == "failed the check “this method must be called on the main queue”")
  }

  @Test func crashThatSaysNothingIsNotBlamedOnThreads() throws {
    let report = try Misbehaviour("background-crash", isWrong: false).report(.unhurried)
    #expect(report.entries.map(\.finding.rule) == ["crash-cause"])
    let evidence = report.entries[0].finding.evidence.map(\.text)
    #expect(evidence.first == "no link between this crash and queues was recorded")
  }

  /// What is near is seen, and is no link.
  @Test func openBackgroundTaskIsSeenAndNotBlamed() throws {
    let report = try Misbehaviour("background-crash", isWrong: true).report()
    let finding = try #require(report.entries.first { $0.finding.rule == "crash-cause" }).finding
    #expect(finding.evidence.first?.text == "no link between this crash and queues was recorded")
    #expect(
      finding.evidence.last?.text == "also seen: background task “refresh prices” was open")
    #expect(finding.culprit == nil)
  }

  @Test func processThatWasAskedToDieHasNoErrors() throws {
    let report = try Misbehaviour("sync-deadlock", isWrong: false).report(.unhurried)
    #expect(report.entries.allSatisfy { $0.finding.severity == .note })
  }

  /// Calls that come in another order than one might think, and yet have lost none; and calls of
  /// which nobody can say whether they have.
  @Test(arguments: [
    "instances", "completions", "late-answer", "many-senders", "two-destinations", "tasks-before",
  ])
  func orderThatNobodyPromisedIsNotLost(_ way: String) throws {
    let report = try Misbehaviour(way, isWrong: true).report(.unhurried)
    #expect(report.entries.filter { $0.finding.rule != "hop-storm" }.map(\.finding.title) == [])
  }

  @Test func answersToManyRequestsAreNoStorm() throws {
    let report = try Misbehaviour("many-completions", isWrong: true).report(.unhurried)
    #expect(report.entries.map(\.finding.title) == [])
  }

  @Test func waitForAWorkerThatWorksIsNoDeadlock() throws {
    let report = try Misbehaviour("long-wait", isWrong: true).report()
    #expect(report.entries.filter { $0.finding.rule == "sync-deadlock" }.isEmpty)
    #expect(report.entries.contains { $0.finding.rule == "main-blocked" })
  }

  @Test func serviceWhoseMainThreadIsParkedHasNoErrors() throws {
    let report = try Misbehaviour("parked-main", isWrong: true).report()
    #expect(report.entries.allSatisfy { $0.finding.severity < .error })
  }

  @Test func everyRuleHasAProgram() {
    // Tests/EndToEnd/Toolkit, TaskScanTests, TestRunsTests and ReentrancyTests have the programs of these: they take a
    // screen, a look from outside, or calls in progress.
    let elsewhere: Set = [
      "actor-cycle", "actor-reentrancy", "busy-task", "endless-wait", "toolkit-off-thread",
    ]
    // IsolationAuditTests has the program of these.
    let audited = AuditRules.all.map(\.id)
    #expect(
      Set(Self.expectations.map(\.rule)).union(elsewhere).union(audited)
        == Set(RuleBook.descriptions.map(\.id)))
  }
}
