import Dispatch
import Foundation
import Synchronization

typealias Scene = @Sendable () async -> Void

let stuck: [String: Scene] = [
  "queues": queues, "locks": locks, "main-and-worker": mainAndWorker, "actor-itself": actorItself,
  "two-actors": twoActors, "task-circle": taskCircle, "pool": pool,
  "lost": lost, "lost-unchecked": lostUnchecked, "group-and-detached": groupAndDetached,
  "held-actor": heldActor, "main-actor": mainActor,
  "barrier-in-read": barrierInRead, "barrier-and-lock": barrierAndLock,
  "cancelled-in-list": cancelledInList, "cancelled-in-table": cancelledInTable,
  "group-child": groupChild, "closed-stream": closedStream, "busy-actor": busyActor,
  "cancelled-loop": cancelledLoop, "queue-reads": queueReads, "main-lost": mainLost,
  "main-for-itself": mainForItself,
]

func queues() async {
  let (alpha, beta) = (DispatchQueue(label: "alpha"), DispatchQueue(label: "beta"))
  let meeting = Meeting(2)
  alpha.async {
    meeting.join()
    beta.sync {}
  }
  beta.async {
    meeting.join()
    alpha.sync {}
  }
  await meeting.others()
}

func locks() async {
  let (orders, stock) = (NSLock(), NSLock())
  let meeting = Meeting(2)
  Thread.detachNewThread {
    orders.withLock {
      meeting.join()
      stock.withLock {}
    }
  }
  Thread.detachNewThread {
    stock.withLock {
      meeting.join()
      orders.withLock {}
    }
  }
  await meeting.others()
}

/// The queue's thread waits for an answer that needs the queue.
func mainAndWorker() async {
  let (screen, answer) = (DispatchQueue(label: "screen"), DispatchSemaphore(value: 0))
  let meeting = Meeting(1)
  screen.async {
    Thread.detachNewThread {
      meeting.arrive()
      screen.sync {}
      answer.signal()
    }
    answer.wait()
  }
  await meeting.others()
}

actor Account {
  private(set) var balance = 0

  /// Waits for a task that needs this actor.
  func settle(_ meeting: Meeting) {
    let done = DispatchSemaphore(value: 0)
    Task {
      self.add(1)
      done.signal()
    }
    meeting.arrive()
    block(on: done)
  }

  /// Waits for a task that needs the other actor.
  func settle(with other: Account, _ meeting: Meeting) {
    meeting.join()
    ready()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      await other.add(1)
      done.signal()
    }
    block(on: done)
  }

  func add(_ amount: Int) { balance += amount }
}

func actorItself() async {
  let (account, meeting) = (Account(), Meeting(1))
  Task.detached { await account.settle(meeting) }
  await meeting.others()
}

func twoActors() async {
  let (one, other, meeting) = (Account(), Account(), Meeting(2))
  Task.detached { await one.settle(with: other, meeting) }
  Task.detached { await other.settle(with: one, meeting) }
  await meeting.others()
}

func taskCircle() async {
  let meeting = Meeting(2)
  let box = Holder()
  let first = Task.detached { () -> Int in
    await meeting.others()
    return await box.task!.value
  }
  box.task = Task.detached {
    meeting.arrive()
    return await first.value
  }
  meeting.arrive()
  await meeting.others()
}

final class Holder: Sendable {
  private let held = Mutex<Task<Int, Never>?>(nil)
  var task: Task<Int, Never>? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

func pool() async {
  let processors = ProcessInfo.processInfo.activeProcessorCount
  let meeting = Meeting(processors)
  let gate = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    for _ in 0..<processors {
      Task.detached {
        meeting.arrive()
        block(on: gate)
      }
    }
    while !meeting.isComplete { sched_yield() }
    Task.detached { for _ in 0..<processors { gate.signal() } }
    ready()
  }
  // This task needs the pool as well, so that it does not come back.
  while !meeting.isComplete { await Task.yield() }
}

func fetch(_ done: @escaping @Sendable (Int) -> Void) { _ = done }

func price() async -> Int {
  await withCheckedContinuation { continuation in
    fetch { continuation.resume(returning: $0) }
  }
}

func lost() async {
  let meeting = Meeting(1)
  Task.detached {
    meeting.arrive()
    print(await price())
  }
  await meeting.others()
}

func stock() async -> Int {
  await withUnsafeContinuation { continuation in
    fetch { continuation.resume(returning: $0) }
  }
}

func lostUnchecked() async {
  let meeting = Meeting(1)
  Task.detached {
    meeting.arrive()
    print(await stock())
  }
  await meeting.others()
}

func groupAndDetached() async {
  let meeting = Meeting(1)
  let worker = Task.detached {
    meeting.arrive()
    return await price()
  }
  Task.detached {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<3 { group.addTask { await worker.value } }
      for await _ in group {}
    }
  }
  await meeting.others()
}

func heldActor() async {
  let (store, meeting, gate) = (Store(), Meeting(1), DispatchSemaphore(value: 0))
  Keeper.shared.keep(gate)
  Task.detached { await store.load(meeting, gate) }
  await meeting.others()
  let started = Meeting(3)
  for _ in 0..<3 {
    Task.detached {
      started.arrive()
      await store.save()
    }
  }
  await started.others()
}

actor Store {
  private var saved = 0
  func load(_ meeting: Meeting, _ gate: DispatchSemaphore) {
    meeting.arrive()
    block(on: gate)
  }
  func save() { saved += 1 }
}

func mainActor() async {
  let meeting = Meeting(1)
  Thread.detachNewThread {
    DispatchQueue.main.async {
      let gate = DispatchSemaphore(value: 0)
      meeting.arrive()
      ready()
      gate.wait()
    }
    while !meeting.isComplete { sched_yield() }
    Task { @MainActor in print("never") }
  }
  await meeting.others()
}
