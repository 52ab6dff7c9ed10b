import Breadcrumbs
import Dispatch
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity

/// A violation of an actor says who held it.
@Suite(.serialized) struct HolderTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder
  private let ledger = Ledger()

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 1 << 20, automatic: [])
  }

  @Test(.findsHolders) func whoRunsOnTheActorIsNamed() async throws {
    try await onThread {
      let hold = Hold { await self.ledger.stay($0) }
      let violation = try violation(of: ledger)
      hold.end()
      let holder = try #require(violation.holder)
      #expect(holder.threadID == hold.place.threadID && holder.threadID != violation.place.threadID)
      #expect(holder.taskID == hold.place.taskID && holder.taskID != nil)
      #expect(violation.description.hasSuffix("the actor was held by \(holder)"))
      let crumb = try #require(scratch.incident().crumbs.last { $0.kind == .violation })
      #expect(crumb["holder"] == .string("\(holder)"))
    }
  }

  @Test(.findsHolders) func soIsWhoRunsOnAnExecutorOfTheActorsOwn() async throws {
    try await onThread {
      let till = Till()
      let hold = Hold { await till.stay($0) }
      let violation = try violation(of: till)
      hold.end()
      #expect(violation.holder?.threadID == hold.place.threadID)
      #expect(violation.holder?.taskID == hold.place.taskID)
    }
  }

  @Test func nobodyHoldsAnActorThatNobodyIsIn() throws {
    #expect(try violation(of: ledger).holder == nil)
  }

  @Test func whoHoldsAnotherActorOfTheSameTypeIsNotTheOne() async throws {
    try await onThread {
      let other = Ledger()
      let hold = Hold { await other.stay($0) }
      let holder = try violation(of: ledger).holder
      hold.end()
      #expect(holder == nil)
    }
  }

  @Test func whoWaitsInTheActorDoesNotHoldIt() async throws {
    let begun = AsyncStream.makeStream(of: Void.self)
    let waits = Task.detached {
      await ledger.wait { begun.continuation.yield() }
    }
    for await _ in begun.stream { break }
    // Its thread may still be on its way out of it.
    #expect(try await onThread { try comesToHold { try violation(of: ledger).holder == nil } })
    waits.cancel()
    await waits.value
  }

  @Test func whoHasLeftTheActorIsNotFound() async throws {
    try await onThread {
      let hold = Hold {
        await ledger.pass()
        $0.stay()
      }
      let isFree = try comesToHold { try violation(of: ledger).holder == nil }
      hold.end()
      #expect(isFree)
    }
  }

  @Test(.findsHolders, .timeLimit(.minutes(2))) func threadsMayComeAndGoMeanwhile() async throws {
    try await onThread {
      let isOver = Atomic<Bool>(false)
      let threads = DispatchGroup()
      for _ in 0..<2 {
        DispatchQueue(label: "holder.threads").async(group: threads) {
          while !isOver.load(ordering: .relaxed) {
            var thread = pthread_t()
            if pthread_create(&thread, nil, { _ in nil }, nil) == 0 { pthread_join(thread, nil) }
          }
        }
      }
      let hold = Hold { await ledger.stay($0) }
      for _ in 0..<300 {
        let holder = try violation(of: ledger).holder
        #expect(holder?.taskID == hold.place.taskID)
      }
      hold.end()
      isOver.store(true, ordering: .relaxed)
      threads.wait()
    }
  }

  /// Where a test may wait: the pool's threads, of which there may be two, are for those who hold actors.
  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
  }

  /// What a check says that is made on this thread now.
  private func violation(of actor: some Actor) throws -> AffinityViolation {
    let caught = Mutex<AffinityViolation?>(nil)
    let policy: ViolationPolicy = [
      .record, .report { violation in caught.withLock { $0 = violation } },
    ]
    policy.repeating(.always).scoped { _ = actor.expectIsolated("entries are posted") }
    return try #require(caught.withLock { $0 })
  }
}

/// A task that stays where it has gone to.
private final class Hold: Sendable {
  private let isThere = DispatchSemaphore(value: 0), mayLeave = DispatchSemaphore(value: 0)
  private let noted = Mutex<ExecutionPlace?>(nil)
  private let hasLeft = DispatchSemaphore(value: 0)

  /// Returns once it is there.
  init(_ body: @escaping @Sendable (Hold) async -> Void) {
    Task.detached {
      await body(self)
      self.hasLeft.signal()
    }
    isThere.wait()
  }

  var place: ExecutionPlace { noted.withLock { $0! } }

  func stay() {
    noted.withLock { $0 = .current }
    isThere.signal()
    mayLeave.wait()
  }

  func end() {
    mayLeave.signal()
    hasLeft.wait()
  }
}

private actor Ledger {
  private var passed = 0

  func stay(_ hold: Hold) { hold.stay() }

  func pass() { passed += 1 }

  func wait(_ begun: @Sendable () -> Void) async {
    begun()
    try? await Task.sleep(for: .seconds(600))
  }
}

/// An actor on a queue.
private actor Till {
  private let executor = QueueExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func stay(_ hold: Hold) { hold.stay() }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "holder.till")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

extension Trait where Self == ConditionTrait {
  /// A test that needs the kernel to say where the threads of a process keep what is theirs.
  fileprivate static var findsHolders: Self { .notUnderQemu("qemu knows no get_robust_list") }
}
