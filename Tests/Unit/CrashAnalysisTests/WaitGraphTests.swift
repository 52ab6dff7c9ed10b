import IncidentModel
import Testing

@testable import CrashAnalysis

/// Circles of waits, and those that only look like one.
@Suite struct WaitGraphTests {
  private static func thread(_ id: Int, _ wait: PictureThread.Wait?, givers: [Int] = [])
    -> PictureThread
  {
    var thread = PictureThread(kernelID: id)
    thread.wait = wait
    thread.awaitedThreads = givers
    return thread
  }

  private static func graph(_ threads: [PictureThread], locks: [UInt64: Int] = [:]) -> WaitGraph {
    var picture = TaskPicture()
    picture.threads = threads
    picture.locks = locks
    return WaitGraph(picture)
  }

  @Test func threadsThatWaitForEachOthersLocksAreACircle() {
    let graph = Self.graph(
      [Self.thread(1, .lock(0x20)), Self.thread(2, .lock(0x10))], locks: [0x10: 1, 0x20: 2])
    #expect(graph.circles == [[.thread(1), .lock(0x20), .thread(2), .lock(0x10)]])
    #expect(graph.stuck.contains(.thread(1)))
  }

  @Test func aSignalThatAThreadWhichRunsCanGiveEndsTheWait() {
    let waiting = [Self.thread(1, .signal(0x80), givers: [2, 3]), Self.thread(2, .lock(0x10))]
    let runs = Self.graph(waiting + [Self.thread(3, nil)], locks: [0x10: 1])
    #expect(runs.circles.isEmpty)
    #expect(runs.stuck.isEmpty)
    let blocked = Self.graph(waiting + [Self.thread(3, .lock(0x10))], locks: [0x10: 1])
    #expect(!blocked.circles.isEmpty)
    #expect(blocked.circles.allSatisfy { !blocked.isCertain($0) })
  }

  @Test func aWaitBehindACircleIsStuckToo() {
    let graph = Self.graph(
      [Self.thread(1, .lock(0x20)), Self.thread(2, .lock(0x10)), Self.thread(3, .thread(1))],
      locks: [0x10: 1, 0x20: 2])
    #expect(graph.circles.count == 1)
    #expect(graph.stuck.contains(.thread(3)))
  }

  /// Of a process that ran meanwhile, only the waits of two readings count.
  @Test func waitsOfOneReadingAloneAreForgotten() {
    var first = TaskPicture()
    first.threads = [Self.thread(1, .lock(0x20)), Self.thread(2, .lock(0x10))]
    first.locks = [0x10: 1, 0x20: 2]
    var second = first
    second.threads[1].wait = nil
    second.keepWaits(commonWith: first)
    #expect(WaitGraph(second).circles.isEmpty)
    var same = first
    same.keepWaits(commonWith: first)
    #expect(WaitGraph(same).circles.count == 1)
  }

  @Test func aBarrierWaitsForAllThatRunOnAConcurrentQueue() {
    func graph(_ other: PictureThread.Wait?) -> WaitGraph {
      var picture = TaskPicture()
      picture.threads = [Self.thread(1, .queue(0x40)), Self.thread(2, other)]
      picture.locks = [0x10: 1]
      var queue = PictureQueue(address: 0x40, label: "shared", holder: nil)
      queue.runners = [2]
      picture.queues = [queue]
      return WaitGraph(picture)
    }
    #expect(graph(.lock(0x10)).circles == [[.thread(1), .queue(0x40), .thread(2), .lock(0x10)]])
    #expect(graph(nil).circles.isEmpty)
  }
}

/// Findings about a picture.
@Suite struct PictureFindingTests {
  private static func run(_ change: (inout TaskPicture) -> Void) -> MadeUpRun {
    let run = MadeUpRun(.running)
    var picture = ProcessPicture(
      wall: 1, stop: .stopped(1),
      threads: [run.thread(1, ["Stock.book()"]), run.thread(2, ["Cart.pay()"])])
    var tasks = TaskPicture()
    tasks.threads = [PictureThread(kernelID: 1), PictureThread(kernelID: 2)]
    change(&tasks)
    picture.tasks = tasks
    run.picture = picture
    return run
  }

  @Test func theLabelOfAQueueDoesNotChangeTheFix() throws {
    let run = Self.run { tasks in
      tasks.threads[0].wait = .queue(0x20)
      tasks.threads[1].wait = .queue(0x10)
      tasks.queues = [
        PictureQueue(address: 0x10, label: "com.example.blocks", holder: 1),
        PictureQueue(address: 0x20, label: "com.example.files", holder: 2),
      ]
    }
    let finding = try #require(try run.finding("sync-deadlock"))
    #expect(finding.fix.text.hasPrefix("Enter the queues in the same order"), "\(finding.fix.text)")
  }

  /// The optimizer may inline the waiting function into the closure of a task. The entry's own wait keeps the
  /// program running, and is none.
  @Test(arguments: [("closure #1 in top-level code", true), ("async_MainTQ0_", false)])
  func aClosureInTopLevelCodeIsNotTheEntry(function: String, isLost: Bool) throws {
    let run = MadeUpRun(.running)
    let waits = run.stack([function]).frames.map { FrameAddress.asyncCaller($0.recorded) }
    var tasks = TaskPicture()
    tasks.tasks = [
      (1, PictureTask.State.waiting(.continuation(.init())), Stack(frames: waits, end: .complete)),
      (2, .enqueued(.pool), Stack(frames: [], end: .complete)),
    ].map {
      PictureTask(
        id: $0.0, address: 0x1000 * $0.0, priority: .init(rawValue: 21), state: $0.1, stack: $0.2)
    }
    var picture = ProcessPicture(wall: 1, stop: .stopped(1), threads: [])
    picture.tasks = tasks
    run.picture = picture
    #expect(try (run.finding("leaked-continuation") != nil) == isLost)
  }

  @Test func anUnknownQueueIsNotTheMainQueue() throws {
    let run = Self.run { tasks in
      tasks.threads[0].wait = .queue(0x30)
      tasks.actors = [PictureActor(address: 0x100, type: "Index", state: .running, holder: 1)]
      tasks.tasks = [
        PictureTask(
          id: 1, address: 0x1000, priority: .init(rawValue: 21), state: .enqueued(.actor(0x100)),
          stack: Stack(frames: [], end: .complete))
      ]
      tasks.mainQueue = PictureQueue(address: 0x50, label: "com.apple.main-thread", holder: nil)
    }
    let finding = try #require(try run.finding("queue-blocked"))
    #expect(finding.cause.map(\.text) == ["waits for an unnamed queue and holds actor Index"])
  }
}

/// Cycles of nodes with one successor each.
@Suite struct SuccessorCycleTests {
  private static func cycle(_ successors: [Int: Int], from nodes: some Sequence<Int>) -> [Int]? {
    SuccessorCycle.first(from: nodes) { successors[$0] }
  }

  @Test func theCycleBeginsWithItsLowestNode() {
    #expect(Self.cycle([0: 3, 3: 2, 2: 1, 1: 3], from: 0..<4) == [1, 3, 2])
    #expect(Self.cycle([0: 1, 1: 2, 4: 5, 5: 4], from: 0..<6) == [4, 5])
    #expect(Self.cycle([0: 1, 1: 0, 4: 5, 5: 4], from: [5, 0]) == [4, 5])
    #expect(Self.cycle([0: 1, 1: 2], from: 0..<3) == nil)
  }

  @Test func aLongChainTakesOneStepForEachNode() {
    var steps = 0
    let cycle = SuccessorCycle.first(from: (0..<100_000).reversed()) { node in
      steps += 1
      return node < 99_999 ? node + 1 : nil
    }
    #expect(cycle == nil)
    #expect(steps == 100_000)
  }
}

/// What lasts from one reading of a process to the next.
@Suite struct LastingWorkTests {
  private static func picture(
    used: UInt64, _ states: [PictureTask.State], job: UInt64 = 0x80,
    wait: PictureThread.Wait = .call
  ) -> TaskPicture {
    var picture = TaskPicture()
    picture.tasks = states.enumerated().map { index, state in
      PictureTask(
        id: UInt64(index + 1), address: UInt64(index + 1) << 12, priority: .init(rawValue: 21),
        state: state, stack: Stack(frames: [], end: .complete))
    }
    var (busy, blocked) = (PictureThread(kernelID: 1), PictureThread(kernelID: 2))
    busy.used = used
    blocked.wait = wait
    picture.threads = [busy, blocked]
    var queue = PictureQueue(address: 0x40, label: "printer", holder: 2)
    queue.jobs = PictureQueue.Jobs(count: 3, first: job)
    picture.queues = [queue]
    return picture
  }

  private static let span: UInt64 = 500_000_000
  private static let turn = PictureTask.State.enqueued(.actor(0x100))

  @Test func aTaskIsBusyIfItRanAtBothReadingsAndUsedAProcessor() {
    let first = Self.picture(used: 10, [.running(thread: 1)])
    func isBusy(_ used: UInt64, _ state: PictureTask.State) -> Bool {
      let second = Self.picture(used: 10 + used, [state])
      return LastingWork(from: first, to: second, span: Self.span).busy.contains(1)
    }
    #expect(isBusy(Self.span / 2, .running(thread: 1)))
    // It slept in between, or waits now.
    #expect(!isBusy(Self.span / 10, .running(thread: 1)))
    #expect(!isBusy(Self.span / 2, .waiting(.continuation(nil))))
  }

  /// On a busy machine it waits for a processor instead.
  @Test func aTaskThatGetsLittleOfAProcessorIsBusyIfItsThreadCouldRunAtBoth() {
    func isBusy(_ areRunnable: [Bool], used: UInt64) -> Bool {
      var pictures = [0, used].map { Self.picture(used: $0, [.running(thread: 1)]) }
      for index in pictures.indices { pictures[index].threads[0].isRunnable = areRunnable[index] }
      return LastingWork(from: pictures[0], to: pictures[1], span: Self.span).busy.contains(1)
    }
    #expect(isBusy([true, true], used: Self.span / 50))
    #expect(!isBusy([true, false], used: Self.span / 50))
    #expect(!isBusy([true, true], used: 0))
  }

  @Test func tasksWaitForTheirTurnIfNoneOfThemWasServed() {
    let first = Self.picture(used: 0, [Self.turn, Self.turn])
    func waiting(_ states: [PictureTask.State]) -> Set<UInt64> {
      let second = Self.picture(used: 0, states)
      return LastingWork(from: first, to: second, span: Self.span).waiting
    }
    #expect(waiting([Self.turn, Self.turn, Self.turn]) == [1, 2])
    #expect(waiting([Self.turn, .waiting(.continuation(nil))]) == [])
    #expect(waiting([Self.turn]) == [])
  }

  @Test func aQueueStandsIfItsNextJobIsTheSame() {
    let first = Self.picture(used: 0, [])
    #expect(
      LastingWork(from: first, to: Self.picture(used: 0, []), span: Self.span).standing == [0x40])
    let others = [
      Self.picture(used: 0, [], job: 0x90), Self.picture(used: 0, [], wait: .lock(0x10)),
    ]
    #expect(
      others.allSatisfy { LastingWork(from: first, to: $0, span: Self.span).standing.isEmpty })
  }
}
