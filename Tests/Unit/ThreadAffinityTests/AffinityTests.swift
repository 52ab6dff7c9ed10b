import Dispatch
import Glibc
import Foundation
import Synchronization
import Testing

@testable import ThreadAffinity

/// Runs `body` on a thread of its own, and waits for it.
func onThread<T>(named name: String? = nil, _ body: @escaping @Sendable () -> T) -> T {
  nonisolated(unsafe) var result: T?
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    if let name { Thread.current.name = name }
    result = body()
    done.signal()
  }
  thread.start()
  done.wait()
  return result!
}

@Suite("Affinity")
struct AffinityTests {
  @Test("A queue's affinity holds on it, inside its syncs, and on what targets it")
  func queues() {
    let base = DispatchQueue(label: "affinity.base")
    let targeting = DispatchQueue(label: "affinity.targeting", target: base)
    let other = DispatchQueue(label: "affinity.other")
    let affinity = Affinity.queue(base)
    #expect(!affinity.isCurrent)
    #expect(base.sync { affinity.isCurrent })
    #expect(targeting.sync { affinity.isCurrent })
    #expect(base.sync { other.sync { affinity.isCurrent } })
    #expect(!other.sync { affinity.isCurrent })
    #expect(!base.sync { Affinity.queue(targeting).isCurrent })
  }

  @Test("A violation says what was expected, where it ran, and the check's place")
  func violation() throws {
    let queue = DispatchQueue(label: "affinity.wanted")
    let found = DispatchQueue(label: "affinity.found")
    let caught = Caught()
    let line: UInt = #line + 2
    let held = found.sync {
      caught.policy.scoped { Affinity.queue(queue).expect("rows \"change\"\n") }
    }
    #expect(!held)
    let violation = try #require(caught.violations.first)
    #expect(violation.expected == "queue affinity.wanted")
    #expect(violation.place.queueLabel == "affinity.found")
    #expect(violation.place.threadID > 0)
    #expect(violation.site?.line == line)
    #expect(violation.site?.file.description == "ThreadAffinityTests/AffinityTests.swift")
    #expect(violation.isCertain)
    #expect(violation.line.hasPrefix("mainstay: violation expected=\"queue affinity.wanted\" ran="))
    #expect(violation.line.contains("message=\"rows \\\"change\\\"\\n\""))
    #expect(!violation.line.contains("\n"))
  }

  #if compiler(>=6.2)
    @Test("A violation in a task names the task")
    func task() async throws {
      let caught = Caught()
      await Task(name: "loader") {
        caught.policy.scoped {
          _ = Affinity.queue(DispatchQueue(label: "affinity.elsewhere")).expect("from a task")
        }
      }.value
      let violation = try #require(caught.violations.first)
      #expect(violation.place.taskName == "loader")
      #expect(violation.place.taskID != nil)
    }
  #endif

  @Test("A thread binds at its first check, remembers where, and hands over when released")
  func thread() throws {
    let binding = ThreadBinding()
    let affinity = Affinity.thread("render", binding)
    #expect(!affinity.isCurrent)
    let caught = Caught()
    caught.policy.repeating(.always).scoped {
      #expect(affinity.expect("binds"))
      #expect(affinity.expect("holds"))
    }
    let bound = ExecutionPlace.current.threadID
    let policy = caught.policy.repeating(.always)
    let (held, stranger) = onThread(named: "stranger") {
      policy.scoped { (affinity.expect("from another thread"), ExecutionPlace.current) }
    }
    #expect(!held)
    let violation = try #require(caught.violations.first)
    #expect(caught.violations.count == 1)
    #expect(violation.expected == "render (thread \(bound))")
    #expect(violation.place == stranger)
    #expect(violation.origin?.kind == .bound)
    #expect(violation.origin?.place.threadID == bound)
    binding.release()
    #expect(onThread { affinity.expect("takes over") })
    #expect(!policy.scoped { affinity.expect("no longer") })
  }

  @Test("One thread of many binds")
  func binding() {
    let affinity = Affinity.thread("contended").policy(.ignore)
    let winners = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let won = onThread { affinity.expect() }
      if won { winners.add(1, ordering: .relaxed) }
    }
    let count = winners.load(ordering: .relaxed)
    #expect(count == 1)
  }

  @Test("An actor's affinity holds inside it, and not outside")
  func actor() async {
    let counter = Counter()
    let affinity = Affinity.actor(counter)
    #expect(!affinity.isCurrent)
    #expect(await counter.holds(affinity))
    #expect(affinity.name == "Counter")
    #expect(await MainActor.run { Affinity.actor(MainActor.shared).isCurrent })
  }

  @Test("An actor on a queue: exact where its executor answers, in doubt where it can only trap")
  func queueActor() async throws {
    let queue = DispatchQueue(label: "affinity.executor")
    let answering = OnQueue(AnsweringExecutor(queue))
    #expect(await answering.holds(.actor(answering)))
    #if compiler(>=6.3)
      #expect(queue.sync { Affinity.actor(answering).isCurrent })
    #endif
    #expect(!Affinity.actor(answering).isCurrent)
    let caught = Caught()
    let silent = OnQueue(SilentExecutor(queue))
    caught.policy.scoped { _ = Affinity.actor(silent).expect("in doubt") }
    caught.policy.scoped { _ = Affinity.actor(answering).expect("certain") }
    #if compiler(>=6.3)
      #expect(caught.violations.map(\.isCertain) == [false, true])
    #else
      #expect(caught.violations.map(\.isCertain) == [false, false])
    #endif
  }

  @Test("UI work runs and returns wherever it is, and off main it is a violation")
  func uiWorkOffMain() {
    let caught = Caught()
    let sum = onThread { caught.policy.scoped { uiWork("layout") { 1 + 1 } } }
    #expect(sum == 2)
    #expect(caught.violations.map(\.message) == ["layout"])
  }

  @Test("A bound value is checked where it is read and where it is written")
  func bound() {
    struct Model { @MainQueueBound("title") var title = "old" }
    let caught = Caught()
    let policy = caught.policy.repeating(.always)
    let title = onThread {
      policy.scoped {
        var model = Model()
        model.title = "new"
        model.title += "er"
        return model.title
      }
    }
    #expect(title == "newer")
    #expect(
      caught.violations.map(\.message) == ["write of title", "write of title", "read of title"])
  }

  @Test("assumingMainQueue gives isolation on the main queue, and nil elsewhere")
  func assuming() async {
    let caught = Caught()
    let off = onThread { caught.policy.scoped { assumingMainQueue("title") { onlyOnMain() } } }
    #expect(off == nil)
    #expect(caught.violations.map(\.message) == ["title"])
    let on = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        continuation.resume(returning: assumingMainQueue { onlyOnMain() })
      }
    }
    #expect(on == 7)
  }

  @Test("The message is not evaluated where all is well")
  func message() async {
    let queue = DispatchQueue(label: "affinity.well")
    let evaluated = Atomic(0)
    func text() -> String {
      evaluated.add(1, ordering: .relaxed)
      return ""
    }
    queue.sync { _ = Affinity.queue(queue).expect(text()) }
    await MainActor.run {
      expectMainQueue(text())
      requireMainQueue(text())
    }
    let count = evaluated.load(ordering: .relaxed)
    #expect(count == 0)
  }
}

private actor Counter {
  func holds(_ affinity: Affinity) -> Bool { affinity.isCurrent }
}

private actor OnQueue<Executor: SerialExecutor> {
  private let executor: Executor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: Executor) { self.executor = executor }
  func holds(_ affinity: Affinity) -> Bool { affinity.isCurrent }
}

private final class AnsweringExecutor: SerialExecutor {
  private let queue: DispatchQueue
  private let affinity: Affinity

  init(_ queue: DispatchQueue) {
    self.queue = queue
    affinity = .queue(queue)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func isIsolatingCurrentContext() -> Bool? { affinity.isCurrent }
}

private final class SilentExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

@MainActor private func onlyOnMain() -> Int { 7 }
