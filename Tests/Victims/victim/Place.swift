import Dispatch
import Foundation

/// Where a victim dies.
enum Place: String, CaseIterable {
  case main, worker, thread, task
}

let victimQueue = DispatchQueue(label: "com.example.victim")

/// Runs `way`, which ends the process or returns, and then exits.
func run(_ way: @escaping @Sendable () -> Void, at place: Place) -> Never {
  switch place {
  case .main: way()
  case .worker:
    victimQueue.async {
      way()
      exit(0)
    }
    Thread.sleep(forTimeInterval: 60)
  case .thread:
    let thread = Thread {
      way()
      exit(0)
    }
    thread.name = "victim"
    thread.start()
    Thread.sleep(forTimeInterval: 60)
  case .task:
    Task.detached {
      await outerAsync(way)
      exit(0)
    }
    Thread.sleep(forTimeInterval: 60)
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
