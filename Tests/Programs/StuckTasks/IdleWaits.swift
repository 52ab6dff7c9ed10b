import Dispatch
import Foundation

// Not stuck, though they look like it.

/// A read that lets nobody else in until it is resumed.
func suspendedQueue() async {
  let (queue, meeting) = (DispatchQueue(label: "paused", attributes: .concurrent), Meeting(1))
  queue.async {
    queue.suspend()
    DispatchQueue.global().asyncAfter(deadline: .now() + 600) { queue.resume() }
    meeting.arrive()
    queue.sync {}
  }
  await meeting.others()
}

/// Waits for a reader that computes.
func barrierBehindWork() async {
  let (queue, meeting) = (DispatchQueue(label: "worked", attributes: .concurrent), Meeting(2))
  queue.async {
    meeting.join()
    for number in 0..<Int.max where number == -1 { print(number) }
  }
  Thread.detachNewThread {
    meeting.join()
    queue.sync(flags: .barrier) {}
  }
  await meeting.others()
}

/// The continuations that are left have moved, and copies of them are in the memory behind.
func othersLeft() async {
  let waiters = Waiters()
  Keeper.shared.keep(waiters)
  for id in 0..<4 { Task.detached { await waiters.waitInList(id) } }
  while waiters.count < 4 { try? await Task.sleep(for: .milliseconds(1)) }
  waiters.answer(0)
  for id in 4..<8 { Task.detached { await waiters.waitInTable(id) } }
  while waiters.count < 7 { try? await Task.sleep(for: .milliseconds(1)) }
  waiters.answer(4)
}

/// Waits for its cancellation, by a stream that never has an element.
func waitsForCancellation() async {
  let meeting = Meeting(2)
  let task = Task.detached {
    meeting.arrive()
    for await _ in AsyncStream<Int>(unfolding: nil) {}
  }
  Keeper.shared.keep(task)
  Task.detached {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        meeting.arrive()
        for await _ in AsyncStream<Int>(unfolding: nil) {}
      }
      group.addTask { try? await Task.sleep(for: .seconds(600)) }
      await group.next()
      group.cancelAll()
    }
  }
  await meeting.others()
}

/// A closure is all that can finish the stream.
func streamOfClosure() async {
  let (stream, input) = AsyncStream<Int>.makeStream()
  let finish: @Sendable () -> Void = { input.finish() }
  Keeper.shared.keep(Kept(value: finish))
  let meeting = Meeting(1)
  Task.detached {
    meeting.arrive()
    for await number in stream { print(number) }
  }
  await meeting.others()
}

/// The actor computes without end, and lets others have their turn as soon as they come.
func actorInTurns() async {
  let (index, meeting) = (Index(), Meeting(6))
  Task.detached { await index.rebuildInTurns(meeting) }
  for word in 0..<5 as Range<UInt64> {
    Task.detached {
      meeting.arrive()
      while !Task.isCancelled {
        _ = await index.look(word)
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }
  await meeting.others()
}

/// A cancelled task that waits, as it has to.
func cancelledWait() async {
  let meeting = Meeting(1)
  let task = Task.detached {
    meeting.arrive()
    await withCheckedContinuation { (answer: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().asyncAfter(deadline: .now() + 600) { answer.resume() }
    }
  }
  task.cancel()
  await meeting.others()
}

/// Reads bytes as they come, each in a job of its own, and never has none left.
func queueReadsInTurns() async {
  let (queue, cable, meeting) = (DispatchQueue(label: "feed"), Cable(), Meeting(1))
  Keeper.shared.keep(queue)
  queue.async { meeting.arrive() }
  for _ in 0..<100_000 { queue.async { cable.readOne() } }
  Thread.detachNewThread {
    var byte: UInt8 = 0
    while write(cable.ends[1], &byte, 1) == 1 { usleep(2000) }
  }
  await meeting.others()
}

/// Work that is given some time.
func queuePauses() async {
  let (queue, meeting) = (DispatchQueue(label: "throttle"), Meeting(1))
  Keeper.shared.keep(queue)
  for _ in 0..<20 {
    queue.async {
      meeting.arrive()
      sleep(600)
    }
  }
  await meeting.others()
}

/// The program's entry itself waits: main.swift does so after this.
func mainWaits() async {}

/// Keeps its continuation at a higher address than hundreds of copies in freed memory.
func copiesInFreedMemory() async {
  let meeting = Meeting(1)
  Task.detached {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      // Chunks of this size are never in the cache of a thread, so they become one free chunk.
      var chunks = (0..<400).map { _ in UnsafeMutablePointer<UInt>.allocate(capacity: 256) }
      chunks.sort()
      for chunk in chunks {
        chunk.initialize(repeating: 0, count: 256)
        chunk[64] = unsafeBitCast(continuation, to: UInt.self)
      }
      Keeper.shared.keep(Kept(value: chunks.removeLast()))
      for chunk in chunks { chunk.deallocate() }
      meeting.arrive()
    }
  }
  await meeting.others()
}

/// Keeps its continuation in a form that no search finds, until the test lets the program go on.
func hiddenContinuation() async {
  let meeting = Meeting(1)
  let word = Kept(value: UnsafeMutablePointer<UInt>.allocate(capacity: 1))
  Keeper.shared.keep(word)
  Task.detached {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let word = word.value as! UnsafeMutablePointer<UInt>
      word.pointee = ~unsafeBitCast(continuation, to: UInt.self)
      meeting.arrive()
    }
  }
  await meeting.others()
  Thread.detachNewThread {
    _ = readLine()
    let word = word.value as! UnsafeMutablePointer<UInt>
    word.pointee = ~word.pointee
    print("SHOWN")
    fflush(nil)
  }
}
