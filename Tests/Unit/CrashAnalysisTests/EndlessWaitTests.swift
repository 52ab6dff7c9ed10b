import IncidentModel
import Testing

/// The waits at which the tests of a hung test process stand still.
struct EndlessWaitTests {
  private static let library = "libXCTest.so!XCTestCase.invokeTest()"
  private static let semaphore = "libdispatch.so!_dispatch_semaphore_wait_slow"
  private static let condition = "libc.so.6!pthread_cond_wait"

  /// The finding about threads and tasks, each with its wait and its stack.
  private func finding(
    _ threads: [(PictureThread.Wait?, [String])], tasks: [(PictureTask.State, [String])] = [],
    tasksIn file: String = "Till.swift", isStuck: Bool = true,
    change: (inout TaskPicture) -> Void = { _ in }
  ) throws -> Finding? {
    let run = MadeUpRun(.running)
    var picture = TaskPicture()
    picture.isStuck = isStuck
    for (index, thread) in threads.enumerated() {
      var told = PictureThread(kernelID: index + 1)
      told.wait = thread.0
      picture.threads.append(told)
    }
    run.file = file
    for (index, task) in tasks.enumerated() {
      let stack = Stack(
        frames: run.stack(task.1).frames.map { .asyncCaller($0.recorded) }, end: .complete)
      picture.tasks.append(
        PictureTask(
          id: UInt64(index + 1), address: UInt64(index + 1) * 64, priority: .init(rawValue: 21),
          state: task.0, stack: stack))
    }
    change(&picture)
    run.file = "Till.swift"
    run.picture = ProcessPicture(
      wall: 1, stop: .stopped(1),
      threads: threads.enumerated().map { run.thread($0.offset + 1, $0.element.1) }, states: [:],
      notes: [])
    run.picture?.tasks = picture
    return try run.finding("endless-wait")
  }

  private func texts(_ finding: Finding?) -> [String] { finding?.evidence.map(\.text) ?? [] }

  @Test func aLoneSemaphoreIsNamedWithItsLine() throws {
    let stack = [Self.semaphore, "Suite.waits() at 7", Self.library]
    let found = try #require(
      try finding([(.signal(0x80), stack)]) { $0.threads[0].isAwaitedKnown = true })
    #expect(
      found.title == "Suite.waits() (Till.swift:7) waits for a semaphore, and no signal woke it")
    #expect(texts(found).contains { $0.contains("no code that has begun can end the wait") })
    #expect(texts(found).contains("every thread and every task of the process waits"))
    let other = try finding([(.signal(0x80), stack), (nil, ["Store.load() at 9"])])
    #expect(other?.title == found.title)
    #expect(texts(other).isEmpty, "the search was not complete, and another thread runs")
  }

  @Test(arguments: [PictureThread.Wait.signal(0x80), .lock(0x80)])
  func aLockIsNoSignal(wait: PictureThread.Wait) throws {
    let found = try finding([
      (wait, ["libc.so.6!pthread_mutex_lock", "Suite.waits() at 7", Self.library])
    ]) {
      $0.threads[0].isAwaitedKnown = true
    }
    #expect(
      found?.title == "Suite.waits() (Till.swift:7) waits for a lock that nothing unlocked")
    #expect(found?.fix.text.contains("Unlock the lock on every path") == true)
  }

  @Test func aChainEndsAtTheWaitOfItsLastParty() throws {
    let found = try finding([
      (.signal(0x80), [Self.semaphore, "Worker.join() at 19", "Suite.waits() at 7", Self.library]),
      (.signal(0x100), [Self.condition, "Queue.take() at 40", "libc.so.6!start_thread"]),
    ]) {
      $0.threads[0].awaitedThreads = [2]
    }
    #expect(found?.title.hasPrefix("Queue.take() (Till.swift:40) waits for a condition") == true)
    #expect(found?.cause.map { $0.place?.line } == [19, 40])
    #expect(found?.fix.text.contains("broadcast()") == true)
  }

  @Test func aStreamAndAnExpectationAreWaitsOfTests() throws {
    let stream = try finding(
      [],
      tasks: [
        (
          .waiting(.continuation(nil)),
          [
            "libswift_Concurrency.so!AsyncStream.Iterator.next()", "Digest.of(_:) at 9",
            "libTesting.so!Runner.run()",
          ]
        )
      ])
    #expect(stream?.title.contains("the next element of a stream that nothing finished") == true)
    let expectation = try finding([
      (
        .time,
        [
          "libc.so.6!ppoll", "libXCTest.so!XCTestCase.wait(for:timeout:enforceOrder:file:line:)",
          "Suite.hears() at 63", Self.library,
        ]
      )
    ])
    #expect(expectation?.title.contains("an expectation that nothing fulfilled") == true)
  }

  /// The library's task waits for the test, and refers to what the test has captured.
  @Test(arguments: ["libTesting.so!Runner.run()", "static Runner.main() at 533"])
  func aTaskOfTheLibrarySendsNoSignal(function: String) throws {
    let stack = [Self.semaphore, "Suite.waits() at 7", "libTesting.so!Runner.run()"]
    let found = try finding(
      [(.signal(0x80), stack)],
      tasks: [
        (.waiting(.group([2])), [function]), (.running(thread: 1), []),
      ], tasksIn: "/p/.build/debug/pPackageTests.derived/runner.swift"
    ) {
      $0.threads[0].task = 2
      $0.threads[0].awaitedTasks = [1]
    }
    #expect(found?.title.hasPrefix("Suite.waits() (Till.swift:7) waits for a semaphore") == true)
  }

  @Test func otherWaitsAreNone() throws {
    let stack = [Self.semaphore, "Suite.waits() at 7", Self.library]
    #expect(try finding([(.signal(0x80), stack)], isStuck: false) == nil)
    #expect(try finding([(.time, stack)]) == nil)
    #expect(try finding([(nil, stack)]) == nil)
    // The worker of a library, which waits for work that no test requests.
    #expect(try finding([(.signal(0x80), [Self.condition, "Worker.run() at 3"])]) == nil)
  }
}
