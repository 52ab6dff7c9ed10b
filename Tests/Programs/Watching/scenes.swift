import Breadcrumbs
import CCrashHandler
import CRecorder
import CrashCapture
import Dispatch
import Foundation
import Synchronization

/// The scenes in which the main queue is watched.
let watchesMain: Set = ["main-blocks-from-rest", "stopped-often", "interrupted", "lock-kept"]

/// The scenes at rest, in which pools have the threshold of a host.
let rests: Set = ["idle", "loop-blocks-at-rest"]

/// What goes on, by name.
let scenes: [String: @Sendable () -> Void] = [
  "idle": {
    Task.detached { keepFrame() }
    after(milliseconds: 2_000) {
      let wakes = wakesOfWatch()
      sleep(2)  // finding that out was work
      let beats = ms_hang_watch_beats()
      sleep(9)  // Dispatch ends threads, and looks after those it has
      print(ms_hang_watch_beats() - beats, wakesOfWatch() - wakes)
      exit(0)
    }
  },
  "stopped": {
    keepWorking()
    after(milliseconds: 500) {
      let victim = getpid()
      let child = forked()
      if child == 0 {
        kill(victim, SIGSTOP)
        usleep(1_500_000)
        kill(victim, SIGCONT)
        _exit(0)
      }
      waitpid(child, nil, 0)
      after(milliseconds: 500) { exit(0) }
    }
  },
  // Wakes from a rest to block at once, for which it needs next to no processor time.
  "main-blocks-from-rest": {
    DispatchQueue.main.async {}
    onThread {
      usleep(4_000_000)
      DispatchQueue.main.async {
        waitForSeconds(4)
        after(milliseconds: 500) { exit(0) }
      }
    }
  },
  "pool-blocks-from-rest": {
    Task.detached { keepFrame() }
    onThread {
      usleep(4_000_000)
      for _ in 0..<processors { Task.detached { waitForSeconds(4) } }
      usleep(4_500_000)
      exit(0)
    }
  },
  // Stopped again and again for less than four looks; its main queue is never late by itself.
  "stopped-often": {
    keepWorking()
    let victim = getpid()
    let child = forked()
    if child == 0 {
      for _ in 0..<35 {
        usleep(25_000)
        kill(victim, SIGSTOP)
        usleep(65_000)
        kill(victim, SIGCONT)
      }
      _exit(0)
    }
    DispatchQueue.main.async { holdMainFor(milliseconds: 150, times: 12) }
    after(milliseconds: 3_500) { exit(0) }
  },
  // Waits on the main queue in calls that a signal would end, and says how many have ended early.
  "interrupted": {
    keepWorking()
    after(milliseconds: 500) { DispatchQueue.main.async { waitInTurn() } }
  },
  // A thread with the name of an event loop's waits for events, then reads from a pipe that nothing is written to.
  "loop-blocks": {
    keepWorking()
    let (reader, writer) = newPipe()
    onLoop {
      _ = poll(nil, 0, untilListed)
      readByte(reader)
      _ = poll(nil, 0, 500)
      exit(0)
    }
    after(milliseconds: 6_000) { writeByte(writer) }
  },
  // Event loops that wait for events, or for short times in one call again and again.
  "loops-work": {
    keepWorking()
    onLoop { _ = poll(nil, 0, 5_000) }
    onLoop {
      for _ in 0..<100 { usleep(20_000) }
      exit(0)
    }
  },
  // A thread that has the name of a loop by inheritance never waits for events; another one has lost the name.
  "not-loops": {
    keepWorking()
    onLoop { waitForSeconds(5) }
    onLoop {
      _ = poll(nil, 0, untilListed)
      nameThread("worker")
      waitForSeconds(2)
      exit(0)
    }
  },
  // More loops block than are recorded in a minute.
  "loops-flood": {
    keepWorking()
    let (reader, writer) = newPipe()
    for _ in 0..<6 {
      onLoop {
        _ = poll(nil, 0, untilListed)
        readByte(reader)
        _ = poll(nil, 0, 5_000)
      }
    }
    after(milliseconds: 5_000) {
      for _ in 0..<6 { writeByte(writer) }
      after(milliseconds: 1_000) { exit(0) }
    }
  },
  // A debugger is attached when a loop begins to block, and goes.
  "loop-blocks-debugged": {
    keepWorking()
    let (reader, writer) = newPipe()
    onLoop {
      _ = poll(nil, 0, untilListed)
      readByte(reader)
      _ = poll(nil, 0, 500)
      exit(0)
    }
    after(milliseconds: 1_000) {
      traceThisProcess(forMilliseconds: 3_500)
      after(milliseconds: 6_000) { writeByte(writer) }
    }
  },
  // A watch of a loop begins while the thread of one blocks.
  "loop-watched-later": {
    keepWorking()
    let reader = newPipe().reader
    onLoop {
      _ = poll(nil, 0, untilListed)
      readByte(reader)
    }
    after(milliseconds: 5_000) {
      let watch = HangWatch(named: "rows", threshold: .seconds(2)) { $0() }
      after(milliseconds: 500) {
        let words = ms_log_last_words(recorder.log)
        print(words!.pointee.hanging_since)
        watch.cancel()
        exit(0)
      }
    }
  },
  // A loop's thread ends in the call in which it blocks.
  "loop-ends": {
    keepWorking()
    let reader = newPipe().reader
    let thread = Mutex<pthread_t?>(nil)
    onLoop {
      thread.withLock { $0 = pthread_self() }
      _ = poll(nil, 0, untilListed)
      readByte(reader)
    }
    after(milliseconds: 5_000) {
      pthread_cancel(thread.withLock { $0! })
      after(milliseconds: 800) { exit(0) }
    }
  },
  // Wakes of the watch in five seconds, while a loop's hang is recorded and all rests.
  "loop-blocks-at-rest": {
    let reader = newPipe().reader
    onLoop {
      for _ in 0..<40 {
        for _ in 0..<20 { countABit() }
        _ = poll(nil, 0, 100)
      }
      readByte(reader)
    }
    onThread {
      usleep(8_000_000)
      let wakes = wakesOfWatch()
      usleep(5_000_000)
      print(wakesOfWatch() - wakes)
      exit(0)
    }
  },
  // A loop waits for a lock whose owner sleeps.
  "loop-waits-for-lock": {
    keepWorking()
    onThread {
      lock.lock()
      usleep(4_500_000)
      lock.unlock()
    }
    onLoop {
      _ = poll(nil, 0, untilListed)
      waitForLock()
    }
  },
  // All threads of a pool wait for one lock.
  "pool-waits-for-lock": {
    onThread {
      while true {
        usleep(5_000)
        countABit()
      }
    }
    onThread(keepLock)
    after(milliseconds: 200) {
      for _ in 0..<processors { Task.detached { waitForLock() } }
    }
  },
  // The main queue waits for a lock that another thread keeps over a long call.
  "lock-kept": {
    DispatchQueue.main.async {}
    keepWorking()
    after(milliseconds: 500) {
      onThread(keepLock)
      after(milliseconds: 200) { DispatchQueue.main.async(execute: waitForLock) }
    }
  },
  // Sees a pool only where there are tasks.
  "no-tasks": {
    onThread {
      usleep(1_500_000)
      print(threadsOfDispatch())
      exit(0)
    }
  },
  "forked": {
    keepWorking()
    let watch = HangWatch(queue: DispatchQueue(label: "com.example.rows"))
    after(milliseconds: 300) {
      let child = forked()
      if child == 0 {
        alarm(20)  // ends a child that hangs
        let own = HangWatch(named: "own") { $0() }
        own.cancel()
        watch.cancel()
        CrashHandler.install(recordingTo: recorder)
        CrashHandler.uninstall()
        _exit(7)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      watch.cancel()
      exit(status == 7 << 8 ? 0 : 1)
    }
  },
  "cancelled": {
    keepWorking()
    let queue = DispatchQueue(label: "com.example.rows")
    let watch = HangWatch(queue: queue, threshold: .milliseconds(200))
    after(milliseconds: 300) {
      queue.async { DispatchSemaphore(value: 0).wait() }
      after(milliseconds: 1_500) {
        watch.cancel()
        after(milliseconds: 500) { exit(0) }
      }
    }
  },
  "roused": {
    let queue = DispatchQueue(label: "com.example.rows")
    let watch = HangWatch(queue: queue, threshold: .milliseconds(100))
    after(milliseconds: 1_500) {
      queue.async {
        for _ in 0..<50 { countABit() }
        usleep(200_000)
        after(milliseconds: 300) {
          watch.cancel()
          exit(0)
        }
      }
    }
  },
  // Answers for the first time after a second, and hangs at once.
  "late": {
    let asked = Mutex<[@Sendable () -> Void]>([])
    let answer: @Sendable () -> Void = {
      asked.withLock { beats in
        for beat in beats { beat() }
        beats = []
      }
    }
    let watch = HangWatch(named: "rows", threshold: .milliseconds(400)) { beat in
      asked.withLock { $0.append(beat) }
    }
    Thread.detachNewThread {
      usleep(1_500_000)
      answer()
      usleep(1_200_000)
      answer()
      usleep(300_000)
      watch.cancel()
      exit(0)
    }
  },
  "gone": {
    keepWorking()
    let watch = HangWatch(actor: Ledger(), threshold: .milliseconds(100))
    after(milliseconds: 1_000) {
      watch.cancel()
      exit(0)
    }
  },
  "many": {
    keepWorking()
    let queues = (0..<40).map { DispatchQueue(label: "com.example.\($0)") }
    for _ in 0..<50 {
      let watches = queues.map { HangWatch(queue: $0, threshold: .milliseconds(500)) }
      usleep(2_000)
      watches.forEach { $0.cancel() }
    }
    after(milliseconds: 300) { exit(0) }
  },
  "overloaded": {
    // As many others as leave this process a tenth of the machine, which has more to do than that.
    let others = computing(processors * 2)
    _ = nice(10)
    for _ in 0..<(processors * 2) {
      Task.detached {
        while true {
          countABit()
          await Task.yield()
        }
      }
    }
    after(milliseconds: 3_000) {
      for child in others { kill(child, SIGKILL) }
      exit(0)
    }
  },
  "computes": {
    keepWorking()
    let queue = DispatchQueue(label: "com.example.rows")
    let watch = HangWatch(queue: queue, threshold: .milliseconds(200))
    // As many others as leave it a third of a processor.
    let others = computing(processors * 2)
    after(milliseconds: 1_000) {
      queue.async {
        let end = processorTime() + 0.4
        while processorTime() < end { countABit() }
        for child in others { kill(child, SIGKILL) }
        watch.cancel()
        exit(0)
      }
    }
  },
  "busy": {
    let end = DispatchTime.now() + .milliseconds(900)
    for _ in 0..<processors {
      Task.detached { while DispatchTime.now() < end { countABit() } }
    }
    after(milliseconds: 1_500) { exit(0) }
  },
  "working": {
    for _ in 0..<(processors * 2) {
      Task.detached {
        while true {
          countABit()
          await Task.yield()
        }
      }
    }
    for _ in 0..<200 { Task.detached { try? await Task.sleep(for: .seconds(5)) } }
    after(milliseconds: 1_500) { exit(0) }
  },
  "flood": {
    keepWorking()
    let queue = DispatchQueue(label: "com.example.rows")
    let watch = HangWatch(queue: queue, threshold: .milliseconds(100))
    holdOften(queue, 12) {
      watch.cancel()
      exit(0)
    }
  },
]

private actor Ledger {}

/// Threads are listed every two seconds; until then a loop waits for events, in milliseconds.
private let untilListed: Int32 = 3_000

/// Runs `body` on a thread with a name as SwiftNIO gives it.
@Sendable private func onLoop(_ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    nameThread("NIO-ELT-0-#1")
    body()
  }
}

/// Names the calling thread. Foundation's `Thread` does not always, where the thread has just begun.
private func nameThread(_ name: String) {
  name.withCString { _ = control(15, Int(bitPattern: $0)) }
}

/// `prctl`, which Swift does not import.
private let control: @Sendable @convention(c) (Int32, Int) -> Int32 = unsafeBitCast(
  dlsym(nil, "prctl"), to: (@Sendable @convention(c) (Int32, Int) -> Int32).self)

private func newPipe() -> (reader: Int32, writer: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { exit(1) }
  return (ends[0], ends[1])
}

@Sendable private func readByte(_ file: Int32) {
  var byte: UInt8 = 0
  _ = read(file, &byte, 1)
}

@Sendable private func writeByte(_ file: Int32) {
  var byte: UInt8 = 1
  _ = write(file, &byte, 1)
}

/// Has a child trace this process for a time, without a stop. Swift does not import `ptrace`, which takes any arguments.
private func traceThisProcess(forMilliseconds time: UInt32) {
  typealias Trace = @convention(c) (Int, Int, Int, Int) -> Int
  let trace = unsafeBitCast(dlsym(nil, "ptrace"), to: Trace.self)
  let seize = 0x4206, setTracer: Int32 = 0x5961_6d61, victim = getpid()
  _ = control(setTracer, -1)
  if forked() == 0 {
    if trace(seize, Int(victim), 0, 0) != 0 { kill(victim, SIGKILL) }
    usleep(time * 1_000)
    _exit(0)
  }
}

private let lock = NSLock()

@inline(never)
@Sendable private func keepLock() {
  lock.lock()
  usleep(2_000_000)
  lock.unlock()
}

@inline(never)
@Sendable private func waitForLock() {
  lock.lock()
  lock.unlock()
  after(milliseconds: 300) { exit(0) }
}

@Sendable private func onThread(_ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread(body)
}

@Sendable private func waitForSeconds(_ seconds: Int) {
  _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(seconds))
}

/// Waits for a second each, as their results say. Of the hangs of a minute four are recorded.
private let waits: [@Sendable () -> Bool] = [
  {
    var time = timespec(tv_sec: 1, tv_nsec: 0)
    return nanosleep(&time, nil) == 0
  },
  { poll(nil, 0, 1_000) == 0 },
  {
    var time = timeval(tv_sec: 1, tv_usec: 0)
    return select(0, nil, nil, nil, &time) == 0
  },
  {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += 1
    return sem_timedwait(semaphore, &until) == -1 && errno == ETIMEDOUT
  },
]

/// Runs the waits from `first` on, each on the main queue, then prints how many ended early.
@Sendable private func waitInTurn(_ first: Int = 0, ended: Int = 0) {
  guard first < waits.count else {
    print(ended)
    exit(0)
  }
  let isWhole = waits[first]()
  after(milliseconds: 300) {
    DispatchQueue.main.async { waitInTurn(first + 1, ended: ended + (isWhole ? 0 : 1)) }
  }
}

/// Holds the main queue for less than its threshold. A stop makes that longer: of a single sleep, it would be a part.
@Sendable private func holdMainFor(milliseconds: UInt32, times: Int) {
  if times == 0 { return }
  for _ in 0..<(milliseconds / 10) { usleep(10_000) }
  DispatchQueue.main.async { holdMainFor(milliseconds: milliseconds, times: times - 1) }
}

/// How many threads serve global queues of Dispatch.
private func threadsOfDispatch() -> Int {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return threads.filter {
    (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?.hasSuffix(
      "-qos\n")
      == true
  }.count
}

private let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))

@inline(never)
private func countABit() {
  for _ in 0..<20_000 { keepFrame() }
}

/// What this thread has had, in seconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

@inline(never)
@_optimize(none)
private func keepFrame() {}

@Sendable private func after(milliseconds: Int, _ next: @escaping @Sendable () -> Void) {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: next)
}

/// Uses some processor time: a process at rest is not asked for beats.
private func keepWorking() {
  Task.detached {
    while true {
      try? await Task.sleep(for: .milliseconds(5))
      for _ in 0..<100 { keepFrame() }
    }
  }
}

/// Holds the queue for a little longer than it may, again and again.
private func holdOften(_ queue: DispatchQueue, _ times: Int, _ end: @escaping @Sendable () -> Void)
{
  if times == 0 { return end() }
  queue.async {
    usleep(220_000)
    after(milliseconds: 120) { holdOften(queue, times - 1, end) }
  }
}

/// How often the thread of the watch has been woken.
private func wakesOfWatch() -> Int {
  let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  let statuses = tasks.compactMap {
    try? String(contentsOfFile: "/proc/self/task/\($0)/status", encoding: .utf8)
  }
  let own = statuses.filter { $0.hasPrefix("Name:\tmainstay") }
  return own.reduce(0) { count, status in
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return count + (line.flatMap { Int($0.split(separator: "\t").last!) } ?? 0)
  }
}

/// Processes that compute until they are killed, or for 15 seconds. They do nothing that needs a lock which another thread may
/// have had when they were forked.
private func computing(_ count: Int) -> [pid_t] {
  var all: [pid_t] = []
  for _ in 0..<count {
    let child = forked()
    if child == 0 {
      alarm(15)
      while true {}
    }
    all.append(child)
  }
  return all
}

/// Swift hides `fork`, for good reasons; a child that only makes calls of C and of ours is what is tried here.
private func forked() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
}
