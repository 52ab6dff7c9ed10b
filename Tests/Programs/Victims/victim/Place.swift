import Dispatch
import Foundation
import Synchronization

/// Where a victim dies.
enum Place: String, CaseIterable {
  case main, worker, thread, task
}

let victimQueue = DispatchQueue(label: "com.example.victim")

/// Whether the main thread has started the one that dies: it blocks all signals while it does.
private let isStarted = Atomic(false)

private func waitUntilStarted() {
  while !isStarted.load(ordering: .acquiring) { usleep(100) }
}

/// A thread that is only just starting blocks all signals, and whoever looks at it then sees that.
func waitUntilOthersSleep() {
  let threads = "/proc/self/task"
  for _ in 0..<2000 {
    let others = (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? []
    let awake = others.contains { thread in
      guard thread != "\(getpid())" else { return false }
      let status = try? String(contentsOfFile: "\(threads)/\(thread)/status", encoding: .utf8)
      return status?.contains("State:\tS") == false
    }
    if !awake { return }
    usleep(1000)
  }
}

private func sleepForEver() -> Never {
  isStarted.store(true, ordering: .releasing)
  while true { Thread.sleep(forTimeInterval: 3600) }
}

/// Runs `way`, which ends the process or returns, and then exits.
func run(_ way: @escaping @Sendable () -> Void, at place: Place) -> Never {
  switch place {
  case .main: way()
  case .worker:
    victimQueue.async {
      waitUntilStarted()
      way()
      exit(0)
    }
    sleepForEver()
  case .thread:
    let thread = Thread {
      waitUntilStarted()
      way()
      exit(0)
    }
    thread.name = "victim"
    thread.start()
    sleepForEver()
  case .task:
    Task.detached {
      waitUntilStarted()
      await outerAsync(way)
      exit(0)
    }
    sleepForEver()
  }
  exit(0)
}

@inline(never)
func outerAsync(_ way: @escaping @Sendable () -> Void) async {
  await innerAsync(way)
  print("outer")
}

@inline(never)
func innerAsync(_ way: @escaping @Sendable () -> Void) async {
  await Task.yield()
  way()
  await Task.yield()
  print("inner")
}
