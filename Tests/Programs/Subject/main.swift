// A process to be looked at from outside.
//
// subject wait [LOG]   answers each line with "alive", while a thread waits
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

/// Starts a thread that waits, and returns once it does.
func startWaiter() {
  let begun = DispatchSemaphore(value: 0)
  let thread = Thread {
    Thread.current.name = "waiter"
    begun.signal()
    waitsForever(DispatchSemaphore(value: 0))
  }
  thread.start()
  begun.wait()
  while !isWaiterAsleep() { sched_yield() }
}

/// Whether the thread called `waiter` sleeps in the kernel.
func isWaiterAsleep() -> Bool {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return threads.contains { id in
    (try? String(contentsOfFile: "/proc/self/task/\(id)/stat", encoding: .utf8))?
      .contains("(waiter) S ") ?? false
  }
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
