import Dispatch
import Foundation
import Synchronization

// Stuck: queues that wait for themselves or for a call, continuations and streams that were given up, tasks that compute.

final class Cache: Sendable {
  private let queue = DispatchQueue(label: "cache", attributes: .concurrent)

  /// Waits for the end of its own read.
  func read(_ meeting: Meeting) {
    queue.sync {
      meeting.arrive()
      write()
    }
  }

  private func write() { queue.sync(flags: .barrier) {} }
}

func barrierInRead() async {
  let (cache, meeting) = (Cache(), Meeting(1))
  Keeper.shared.keep(cache)
  Thread.detachNewThread { cache.read(meeting) }
  await meeting.others()
}

/// Two readers, one of which waits for a lock of the thread that waits for both of them to leave.
func barrierAndLock() async {
  let queue = DispatchQueue(label: "shared", attributes: .concurrent)
  let (lock, gate, meeting) = (NSLock(), DispatchSemaphore(value: 0), Meeting(3))
  Keeper.shared.keep(gate)
  queue.async {
    meeting.join()
    lock.withLock {}
  }
  queue.async {
    meeting.join()
    gate.wait()
  }
  Thread.detachNewThread {
    lock.withLock {
      meeting.join()
      queue.sync(flags: .barrier) {}
    }
  }
  await meeting.others()
}

/// Those who wait, by continuations that are not checked.
final class Waiters: Sendable {
  private struct State {
    var list: [(id: Int, answer: UnsafeContinuation<Void, Never>)] = []
    var table: [Int: UnsafeContinuation<Void, Never>] = [:]
  }
  private let state = Mutex(State())

  func waitInList(_ id: Int) async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { answer in state.withLock { $0.list.append((id, answer)) } }
    } onCancel: {
      leave(id)
    }
  }

  func waitInTable(_ id: Int) async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { answer in state.withLock { $0.table[id] = answer } }
    } onCancel: {
      leave(id)
    }
  }

  /// Forgets to resume.
  func leave(_ id: Int) {
    state.withLock { state in
      state.list.removeAll { $0.id == id }
      state.table[id] = nil
    }
  }

  func answer(_ id: Int) {
    state.withLock { state in
      if let place = state.list.firstIndex(where: { $0.id == id }) {
        state.list.remove(at: place).answer.resume()
      }
      state.table.removeValue(forKey: id)?.resume()
    }
  }

  var count: Int { state.withLock { $0.list.count + $0.table.count } }
}

private func wait(cancelled: Int, _ body: @escaping @Sendable (Waiters, Int) async -> Void) async {
  let waiters = Waiters()
  Keeper.shared.keep(waiters)
  let tasks = (0..<3).map { id in Task.detached { await body(waiters, id) } }
  Keeper.shared.keep(tasks)
  while waiters.count < 3 { try? await Task.sleep(for: .milliseconds(1)) }
  for task in tasks.prefix(cancelled) { task.cancel() }
}

func cancelledInList() async { await wait(cancelled: 3) { await $0.waitInList($1) } }
func cancelledInTable() async { await wait(cancelled: 2) { await $0.waitInTable($1) } }

/// A task of a group waits for a task that lost its continuation, and nothing else of the group is left.
func groupChild() async {
  let meeting = Meeting(1)
  Task.detached {
    await withTaskGroup(of: Int.self) { group in
      group.addTask {
        let worker = Task.detached {
          meeting.arrive()
          return await stock()
        }
        return await worker.value
      }
      for await _ in group {}
    }
  }
  await meeting.others()
}

func closedStream() async {
  let meeting = Meeting(1)
  Task.detached {
    meeting.arrive()
    await readPrices()
  }
  await meeting.others()
}

func readPrices() async {
  for await price in AsyncStream<Int>(unfolding: nil) { print(price) }
}

extension AsyncStream where Element == Int {
  /// Forgets to finish.
  init(unfolding last: Int?) {
    self.init { input in
      input.yield(1)
      if let last {
        input.yield(last)
        input.finish()
      }
    }
  }
}

actor Index {
  private var words: [UInt64: Int] = [:]

  func rebuild(_ meeting: Meeting) {
    meeting.arrive()
    for round in 0..<Int.max where round & 0xffff == 0 { words[UInt64(round) & 0xfff] = round }
  }

  func rebuildInTurns(_ meeting: Meeting) async {
    meeting.arrive()
    for round in 0..<Int.max {
      if round & 0xffff == 0 { words[UInt64(round) & 0xfff] = round }
      if round & 0xffff == 0 { await Task.yield() }
    }
  }

  func look(_ word: UInt64) -> Int? { words[word] }
}

func busyActor() async {
  let (index, meeting) = (Index(), Meeting(1))
  Task.detached { await index.rebuild(meeting) }
  await meeting.others()
  let started = Meeting(5)
  for word in 0..<5 as Range<UInt64> {
    Task.detached {
      started.arrive()
      _ = await index.look(word)
    }
  }
  await started.others()
}

func poll() async {
  while !Keeper.shared.isEmpty { try? await Task.sleep(for: .seconds(5)) }
}

func cancelledLoop() async {
  Keeper.shared.keep(1)
  let task = Task.detached { await poll() }
  task.cancel()
}

/// The main thread waits for work on the main actor.
func mainForItself() async {
  let meeting = Meeting(1)
  Thread.detachNewThread {
    DispatchQueue.main.async {
      let done = DispatchSemaphore(value: 0)
      Task { @MainActor in done.signal() }
      meeting.arrive()
      ready()
      done.wait()
    }
  }
  await meeting.others()
}

final class Cable: Sendable {
  let ends: [Int32]
  init() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    self.ends = ends
  }
  func readOne() {
    var byte: UInt8 = 0
    _ = read(ends[0], &byte, 1)
  }
}

func queueReads() async {
  let (queue, cable, meeting) = (DispatchQueue(label: "printer"), Cable(), Meeting(1))
  Keeper.shared.keep(queue)
  queue.async {
    meeting.arrive()
    cable.readOne()
  }
  for _ in 0..<20 { queue.async { print("printed") } }
  await meeting.others()
}

/// The program's entry itself waits: main.swift does so after this.
func mainLost() async {}
