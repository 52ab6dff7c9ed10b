// A process to be looked at from outside.
//
// subject wait [LOG]   answers each line with "alive", while a thread waits
// subject threads N    answers each line with "alive", while N threads wait
// subject count        answers each line with the number of real-time signals that came
// subject crash        reads through a null pointer on a thread that has others beside it
// subject hold PID     stops another process, and never lets it go

import Breadcrumbs
import Dispatch
import Foundation
import ProcessReading
import Synchronization

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

@inline(never) func waitsForever(_ semaphore: DispatchSemaphore) {
  semaphore.wait()
  say("unreachable")
}

@inline(never) func crashesHere(_ address: Int) -> Int {
  UnsafePointer<Int>(bitPattern: address)!.pointee + 1
}

/// Kept for as long as the process lives.
nonisolated(unsafe) var recorder: BreadcrumbRecorder?

let received = Atomic<Int>(0)

/// Where the kernel shows the thread that waits: `PID/task/TID`.
let waiter = Mutex("")

/// Starts a thread that waits, and returns once it does.
func startWaiter() {
  let begun = DispatchSemaphore(value: 0)
  let thread = Thread {
    // Foundation names a thread only once its creator has stored its id.
    let comm = open("/proc/thread-self/comm", O_WRONLY)
    write(comm, "waiter", 6)
    close(comm)
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = readlink("/proc/thread-self", &bytes, bytes.count)
    waiter.withLock { $0 = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) }
    begun.signal()
    waitsForever(DispatchSemaphore(value: 0))
  }
  thread.start()
  begun.wait()
  let path = "/proc/" + waiter.withLock { $0 } + "/stat"
  while !begin(of: path).contains(") S ") { sched_yield() }
}

/// Starts threads that wait, and returns once they have begun.
func startThreads(_ count: Int) {
  let begun = DispatchSemaphore(value: 0)
  for _ in 0..<count {
    let thread = Thread {
      begun.signal()
      waitsForever(DispatchSemaphore(value: 0))
    }
    thread.stackSize = 1 << 17
    thread.start()
  }
  for _ in 0..<count { begun.wait() }
}

/// The first bytes of a file of `/proc`, which has no size.
func begin(of path: String) -> String {
  let file = open(path, O_RDONLY)
  guard file >= 0 else { return "" }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 256)
  let count = max(0, read(file, &bytes, bytes.count))
  return String(decoding: bytes[..<count], as: UTF8.self)
}

func answer(_ text: () -> String) {
  say("ready")
  while readLine() != nil { say(text()) }
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "wait":
  if arguments.count > 2 {
    recorder = try BreadcrumbRecorder(path: arguments[2])
    recorder?.record("looked at from outside")
  }
  startWaiter()
  answer { "alive" }
case "threads":
  startThreads(Int(arguments[2])!)
  answer { "alive" }
case "count":
  // At the lowest real-time signal that the C library leaves to programs; each one that is sent is queued.
  signal(SIGRTMIN()) { _ in received.add(1, ordering: .relaxed) }
  startWaiter()
  answer { "\(received.load(ordering: .relaxed))" }
case "crash":
  startWaiter()
  say("\(crashesHere(8))")
case "hold":
  let other = try LiveProcess(
    Int(arguments[2])!, options: LiveProcess.Options(stop: 600_000_000_000))
  _ = try other.capture { _, threads in
    say("holds \(threads.count)")
    while true { pause() }
  }
default: exit(64)
}

func SIGRTMIN() -> Int32 { __libc_current_sigrtmin() }
