import Dispatch

/// Tasks of known state, as many of each kind as asked for: `task-truth COPIES`.
///
/// Each prints `ID PARENT NAME CANCELLED STATE`; when all are in their states, `READY`.
let copies = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1
let truth = Truth.shared
let never = DispatchSemaphore(value: 0)

actor Ledger {
  private var entries = 0
  func hold() {
    truth.say("running")
    block(on: never)
  }
  func add() { entries += 1 }
}

/// Blocks the thread, which is what this program is for.
nonisolated func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

func checked(parent: UInt64 = 0, name: String = "-") async {
  truth.say("continuation", parent: parent, name: name)
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    truth.keep(continuation)
  }
}

func unchecked(parent: UInt64 = 0, name: String = "-") async {
  truth.say("continuation", parent: parent, name: name)
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
    truth.keep(continuation)
  }
}

func lost() async {
  truth.say("lost")
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

func asleep(parent: UInt64 = 0, name: String = "-") async {
  truth.say("continuation", parent: parent, name: name)
  try? await Task.sleep(for: .seconds(100_000))
}

func tree(_ depth: Int, parent: UInt64, name: String = "-") async {
  guard depth > 0 else { return await checked(parent: parent) }
  let own = Truth.currentTask
  truth.say("task", parent: parent, name: name)
  async let left: Void = tree(depth - 1, parent: own)
  async let right: Void = tree(depth - 1, parent: own)
  _ = await (left, right)
}

func group() async {
  truth.say("group 3", name: "grouped")
  let own = Truth.currentTask
  await withTaskGroup(of: Int.self) { group in
    for child in 0..<3 {
      group.addTask(name: "child\(child)") {
        await asleep(parent: own, name: "child\(child)")
        return child
      }
    }
    for await _ in group {}
  }
}

func discarding() async {
  truth.say("group 2")
  let own = Truth.currentTask
  await withDiscardingTaskGroup { group in
    for _ in 0..<2 { group.addTask { await unchecked(parent: own) } }
  }
}

func copy() async -> Int {
  truth.keep(Task(name: "tree") { await tree(2, parent: 0, name: "tree") })
  truth.keep(Task.detached(name: "grouped", priority: .low) { await group() })
  truth.keep(Task.detached(priority: .high) { await discarding() })
  truth.keep(Task { await unchecked() })
  // Nothing keeps this task, nor its continuation.
  Task { await lost() }
  truth.keep(
    Task {
      truth.say("continuation")
      let (stream, input) = AsyncStream<Int>.makeStream()
      truth.keep(input)
      for await _ in stream {}
    })
  let cancelled = Task {
    while !Task.isCancelled { await Task.yield() }
    await checked()
  }
  cancelled.cancel()
  truth.keep(cancelled)
  let target = Task { await asleep() }
  truth.keep(
    Task {
      truth.say("task")
      await target.value
    })
  // A task that has ended, which is still referred to.
  let ended = Task { 1 }
  truth.keep(ended)
  return await ended.value + 19
}

var expected = 0
for _ in 0..<copies { expected += await copy() }
let ledger = Ledger()
truth.keep(Task.detached { await ledger.hold() })
expected += 1
while truth.count < expected { await Task.yield() }
for _ in 0..<3 {
  truth.keep(
    Task.detached {
      truth.say("actor Ledger")
      await ledger.add()
    })
}
expected += 3
while truth.count < expected { await Task.yield() }
truth.say("continuation")
truth.tell()
await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
  truth.keep(continuation)
}
