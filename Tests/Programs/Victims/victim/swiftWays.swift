import CVictims
import Dispatch
import Foundation
import Synchronization

let swiftWays: [String: @Sendable () -> Void] = [
  "fatal-error": dieByFatalError, "precondition": dieByPrecondition, "bounds": dieByBounds,
  "nil": dieByNil, "overflow": dieByOverflow, "try": dieByTry, "cast": dieByCast,
  "exclusivity": dieByExclusivity, "dead-unowned": dieByDeadUnowned,
  "continuation-twice": dieByContinuation, "task-memory-misused": dieByTaskMemory,
  "continuation-lost": loseAndDie, "dispatch-precondition": dieByDispatchPrecondition,
  "main-sync-on-main": dieByMainSync, "actor-isolation": dieByActorIsolation,
  "swift-stack-overflow": dieBySwiftStackOverflow,
]

@inline(never) func opaque<T>(_ value: T) -> T { value }

@inline(never) @Sendable func dieByFatalError() { fatalError("the till does not add up") }

@inline(never) @Sendable func dieByPrecondition() { precondition(opaque(1) == 2, "one is not two") }

@inline(never) @Sendable func dieByBounds() { print([1, 2, 3][opaque(7)]) }

@inline(never) @Sendable func dieByNil() {
  let nothing: Int? = opaque(nil)
  print(nothing!)
}

@inline(never) @Sendable func dieByOverflow() { print(opaque(Int.max) + opaque(1)) }

struct TillError: Error { var missing: Int }
@inline(never) func throwing() throws { throw TillError(missing: opaque(3)) }
@inline(never) @Sendable func dieByTry() { try! throwing() }

@inline(never) @Sendable func dieByCast() {
  let value: Any = opaque("text")
  print(value as! Int)
}

final class Shared: @unchecked Sendable { var value = 0 }
@inline(never) func modify(_ value: inout Int, _ body: () -> Void) {
  value += 1
  body()
}
@inline(never) @Sendable func dieByExclusivity() {
  let shared = opaque(Shared())
  modify(&shared.value) { shared.value += 1 }
}

final class Holder { unowned var object: Shared; init(_ object: Shared) { self.object = object } }
@inline(never) func makeHolder() -> Holder { Holder(Shared()) }
@inline(never) @Sendable func dieByDeadUnowned() { print(makeHolder().object.value) }

@inline(never) func resumeTwice() async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    continuation.resume()
    continuation.resume()
  }
}
@inline(never) @Sendable func dieByContinuation() {
  Task.detached { await resumeTwice() }
  Thread.sleep(forTimeInterval: 60)
}

@inline(never) @Sendable func dieByTaskMemory() {
  Task.detached { die_task_memory() }
  Thread.sleep(forTimeInterval: 60)
}

private let kept = Mutex<CheckedContinuation<Void, Never>?>(nil)
@inline(never) func loseContinuation() async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    kept.withLock { $0 = continuation }
  }
}
/// Loses a continuation, and dies of something else.
@Sendable func loseAndDie() {
  Task.detached { await loseContinuation() }
  while kept.withLock({ $0 == nil }) { usleep(1000) }
  kept.withLock { $0 = nil }
  die_null_read()
}

@inline(never) @Sendable func dieByDispatchPrecondition() {
  dispatchPrecondition(condition: .onQueue(.main))
}

@inline(never) @Sendable func dieByMainSync() { DispatchQueue.main.sync { print("never") } }

@inline(never) @Sendable func dieByActorIsolation() { MainActor.preconditionIsolated() }

@inline(never) func descend(_ depth: Int) -> Int {
  depth < 0 ? depth : descend(opaque(depth + 1)) + opaque(depth)
}
@inline(never) @Sendable func dieBySwiftStackOverflow() { print(descend(opaque(0))) }

@inline(never) @Sendable func dieByQuit() { print(raise(SIGQUIT)) }

/// Breaks what the handler itself reads: the label of the queue it runs on.
@inline(never) @Sendable func dieWithBrokenQueue() {
  breakVictimQueue()
  dieByFatalError()
}

/// The same, but it is another thread that reads it, when it is asked for its stack.
@inline(never) @Sendable func dieBesideBrokenQueue() {
  breakQueueOfAnother { Thread.sleep(forTimeInterval: 60) }
  die_null_read()
}

/// The same, and that other thread dies while the one that does not answer is waited for. It cannot be asked for its
/// stack: a thread that was asked is held.
@inline(never) @Sendable func dieBeforeBrokenQueue() {
  start_silent_thread()
  breakQueueOfAnother(canBeAsked: false) {
    Thread.sleep(forTimeInterval: 0.1)
    die_null_read()
  }
  die_null_read()
}

private func breakQueueOfAnother(
  canBeAsked: Bool = true, _ body: @escaping @Sendable () -> Void
) {
  let isBroken = DispatchSemaphore(value: 0)
  victimQueue.async {
    Thread.current.name = "broken"
    if !canBeAsked { block_questions() }
    breakVictimQueue()
    isBroken.signal()
    body()
  }
  isBroken.wait()
}

private func breakVictimQueue() {
  // A DispatchQueue is an object of Swift's around the queue itself.
  let object = Unmanaged.passUnretained(victimQueue).toOpaque()
  let header = 2 * MemoryLayout<UInt>.size
  break_queue_label(object.load(fromByteOffset: header, as: UnsafeMutableRawPointer.self))
}
