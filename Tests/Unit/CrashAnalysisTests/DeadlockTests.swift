import IncidentModel
import Testing

/// Who waited for whom, and what only looks like it.
@Suite("Threads that wait for each other") struct DeadlockTests {
  private static let sync = ["libdispatch.so!__DISPATCH_WAIT_FOR_QUEUE__", "Stock.book(_:)"]
  private static let semaphore = ["libdispatch.so!_dispatch_sema4_wait", "Store.load()"]
  private static let loop = ["libc.so.6!poll", "libFoundation.so!__CFRunLoopRun", "main"]

  /// What is found of two workers in a `sync` of theirs beside other threads, once a supervisor has ended the
  /// process.
  private func found(
    beside others: (MadeUpRun) -> [CrashThread], change: (inout Crash) -> Void = { _ in }
  ) throws -> Finding? {
    let run = MadeUpRun(.crash(signal: 6, .certain))
    let workers = [run.thread(1, queue: 1, Self.sync), run.thread(2, queue: 2, Self.sync)]
    run.die(of: 6, sentBy: 99, workers + others(run))
    if var crash = run.crash {
      change(&crash)
      run.crash = crash
    }
    return try run.finding("sync-deadlock")
  }

  @Test("Two threads that alone work for queues, and each wait for one, wait for each other")
  func pair() throws {
    let alone = try #require(try found { _ in [] })
    #expect(alone.title.hasPrefix("Two queues waited for each other"))
    let idle = try found {
      [
        $0.thread(3, onMain: .yes, Self.loop),
        $0.thread(4, ["libc.so.6!epoll_wait", "Pool.run()"]),
      ]
    }
    #expect(idle?.title == alone.title)
  }

  @Test("A busy main queue may be what both wait for")
  func busyMain() throws {
    #expect(try found { [$0.thread(3, onMain: .yes, ["Board.draw()", "main"])] } == nil)
  }

  @Test("A third queue's thread may be whom both wait for, busy or waiting itself")
  func third() throws {
    #expect(try found { [$0.thread(3, queue: 3, Self.semaphore)] } == nil)
    #expect(try found { [$0.thread(3, queue: 3, ["Store.sum()"])] } == nil)
    #expect(try found { [$0.thread(3, queue: 3, Self.sync)] } == nil)
  }

  @Test("A thread that is missing, or its stack, may be the one, too")
  func missing() throws {
    #expect(try found { [$0.thread(3, queue: 3, [])] } == nil)
    #expect(
      try found { _ in
        []
      } change: {
        $0.isListIncomplete = true
      } == nil)
    #expect(
      try found { _ in
        []
      } change: {
        $0.isOutOfTime = true
      } == nil)
  }

  @Test("A thread that waits for a lock of its own hides no threads that wait for each other")
  func ownLock() throws {
    let run = MadeUpRun(.crash(signal: 6, .certain))
    var threads = (1...3).map {
      run.thread($0, ["libc.so.6!__lll_lock_wait", "Store.load\($0)()"])
    }
    for (place, owner) in [1, 3, 2].enumerated() { threads[place].waitsFor = owner }
    run.die(of: 6, sentBy: 99, threads)
    let finding = try #require(try run.finding("sync-deadlock"))
    #expect(finding.title.hasPrefix("Two threads waited for each other"), "\(finding.title)")
  }

  @Test("What a worker waits for beside a main queue that waits is not said to be main")
  func mutual() throws {
    let run = MadeUpRun(.crash(signal: 6, .certain))
    let main = [
      "libdispatch.so!_dispatch_sema4_wait", "Board.show()",
      "libdispatch.so!_dispatch_main_queue_drain", "main",
    ]
    run.die(
      of: 6, sentBy: 99, [run.thread(3, onMain: .yes, main), run.thread(1, queue: 1, Self.sync)])
    let finding = try #require(try run.finding("sync-deadlock"))
    let texts = [finding.title] + finding.evidence.map(\.text)
    #expect(texts.allSatisfy { !$0.contains("each other") && !$0.contains("waited for it") })
    #expect(texts.contains { $0.hasPrefix("both waited at the same moment") })
  }

  /// The message of the runtime belongs to the process, in which another thread may crash at the same time.
  @Test("A message that another thread wrote is no evidence")
  func messageOfAnotherThread() throws {
    let message = "Shop/Till.swift:8: Fatal error: no rows"
    func ended(_ functions: [String], in file: String) throws -> [Finding] {
      let run = MadeUpRun(.crash(signal: 4, .certain))
      run.file = file
      let crashed = run.thread(1, queue: 1, functions)
      run.file = "Till.swift"
      let other = run.thread(2, ["libswiftCore.so!_assertionFailure", "Till.count() at 8"])
      run.die(of: 4, saying: message, [crashed, other])
      return try run.report().entries.map(\.finding)
    }
    func texts(_ findings: [Finding]) -> [String] {
      findings.flatMap { [$0.title] + $0.evidence.map(\.text) }
    }
    let deadlock = try ended(Self.sync, in: "Till.swift")
    #expect(deadlock.first?.rule == "sync-deadlock")
    #expect(!texts(deadlock).contains { $0.contains("no rows") }, "\(texts(deadlock))")
    let elsewhere = try ended(["Shelf.take() at 5"], in: "Shelf.swift")
    #expect(!texts(elsewhere).contains { $0.contains("no rows") }, "\(texts(elsewhere))")
    let here = try ended(["Till.take() at 5"], in: "Till.swift")
    #expect(texts(here).contains { $0.contains("no rows") })
  }
}
