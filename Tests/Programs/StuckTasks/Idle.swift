import Dispatch
import Foundation
import Synchronization

let idle: [String: Scene] = [
  "sleeping-loop": sleepingLoop, "idle-server": idleServer, "open-stream": openStream,
  "kept-continuation": keptContinuation, "busy": busy, "connection-pool": connectionPool,
  "waiting-thread": waitingThread,
  "suspended-queue": suspendedQueue, "barrier-behind-work": barrierBehindWork,
  "others-left": othersLeft, "waits-for-cancellation": waitsForCancellation,
  "stream-of-closure": streamOfClosure, "actor-in-turns": actorInTurns,
  "cancelled-wait": cancelledWait, "queue-reads-in-turns": queueReadsInTurns,
  "queue-pauses": queuePauses, "main-waits": mainWaits,
  "copies-in-freed-memory": copiesInFreedMemory, "hidden-continuation": hiddenContinuation,
]

func sleepingLoop() async {
  let meeting = Meeting(3)
  for _ in 0..<3 {
    Task.detached {
      meeting.arrive()
      while !Task.isCancelled { try await Task.sleep(for: .seconds(600)) }
    }
  }
  await meeting.others()
}

/// Accepts connections as servers do: a source on a socket feeds a stream, and each connection has a task.
func idleServer() async {
  let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  listen(socket, 16)
  let source = DispatchSource.makeReadSource(fileDescriptor: socket)
  let (connections, input) = AsyncStream<Int32>.makeStream()
  source.setEventHandler { input.yield(accept(socket, nil, nil)) }
  source.resume()
  Keeper.shared.keep(Kept(value: source))
  let meeting = Meeting(1)
  Task.detached {
    meeting.arrive()
    await withDiscardingTaskGroup { group in
      for await connection in connections { group.addTask { close(connection) } }
    }
  }
  await meeting.others()
}

func openStream() async {
  let (stream, input) = AsyncStream<Int>.makeStream()
  Keeper.shared.keep(input)
  let meeting = Meeting(1)
  Task.detached {
    meeting.arrive()
    for await number in stream { print(number) }
  }
  await meeting.others()
}

func keptContinuation() async {
  let meeting = Meeting(2)
  let task = Task.detached {
    meeting.arrive()
    await withCheckedContinuation { (answer: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().asyncAfter(deadline: .now() + 600) { answer.resume() }
    }
  }
  Keeper.shared.keep(task)
  Task.detached {
    meeting.arrive()
    await withUnsafeContinuation { (answer: UnsafeContinuation<Void, Never>) in
      Keeper.shared.keep(answer)
    }
  }
  await meeting.others()
}

/// All threads of the pool compute, and more tasks wait for their turn.
func busy() async {
  let processors = ProcessInfo.processInfo.activeProcessorCount
  let started = Meeting(processors)
  Thread.detachNewThread {
    for _ in 0..<processors + 2 {
      Task.detached {
        started.arrive()
        var sum = 0
        for number in 0..<20_000_000_000 { sum &+= number &* number }
        print(sum)
      }
    }
    while !started.isComplete { sched_yield() }
    ready()
  }
  await started.others()
}

actor Pool {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isLent = false

  func lease(_ meeting: Meeting) async {
    meeting.arrive()
    guard isLent else {
      isLent = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }
}

func connectionPool() async {
  let (pool, meeting) = (Pool(), Meeting(20))
  for _ in 0..<20 {
    Task.detached {
      await pool.lease(meeting)
      try await Task.sleep(for: .seconds(600))
    }
  }
  await meeting.others()
}

func waitingThread() async {
  let meeting = Meeting(2)
  let (lock, gate) = (NSCondition(), DispatchSemaphore(value: 0))
  Keeper.shared.keep(gate)
  Thread.detachNewThread {
    lock.lock()
    meeting.arrive()
    while true { lock.wait() }
  }
  Thread.detachNewThread {
    meeting.arrive()
    gate.wait()
  }
  await meeting.others()
}
