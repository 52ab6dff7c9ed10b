// What the examples of the rules take for granted, so that each is a whole program.

import Breadcrumbs
import CrashCapture
import Dispatch
import Glibc
import ThreadAffinity

final class Disk: Sendable {}

/// What is shown; it does not survive to be laid out off the main queue.
final class Board: @unchecked Sendable {
  private var shown: [String] = []

  @inline(never)
  func show(_ rows: [String]) {
    uiWork("board layout") { shown = rows }
  }

  @inline(never)
  func layOut() {
    if !MainQueue.isCurrent { abort() }
    end()
  }

  @inline(never)
  func layOut(readingFrom disk: Disk) {
    usleep(300_000)
    end()
  }

  @inline(never)
  func finish() { show([]) }

  /// A call after the last one keeps a function's frame on the stack.
  @inline(never)
  @_optimize(none)
  private func end() {}
}

/// Shows what comes, for as long as the program runs.
final class Kiosk: Sendable {
  @inline(never)
  func serve() {
    while true {
      board.show(["apples"])
      usleep(100_000)
    }
  }

  /// Waits for the main queue's answer.
  @inline(never)
  func ask() {
    let asked = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { asked.signal() }
    asked.wait()
    end()
  }

  @inline(never)
  @_optimize(none)
  private func end() {}
}

final class Ledger: @unchecked Sendable {
  var balance = 0
}

/// Rows that belong to a queue of their own.
final class Repository: @unchecked Sendable {
  let home = Affinity.queue(DispatchQueue(label: "com.example.repository"))
  private var rows: [String] = []

  @inline(never)
  func save(_ rows: [String]) {
    home.expect("rows are saved")
    self.rows = rows
    end()
  }

  var count: Int { rows.count }

  @inline(never)
  @_optimize(none)
  private func end() {}
}

/// Answers on a queue of its own, as libraries do.
final class Download: Sendable {
  private let queue = DispatchQueue(label: "com.example.download")

  @inline(never)
  func start(_ completion: @escaping @Sendable ([String]) -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(20)) {
      completion(["apples"])
      usleep(1)
    }
  }
}

/// What several threads write without a lock.
final class Cache: @unchecked Sendable {
  private var numbers: [Int: Int] = [:]

  @inline(never)
  func store(_ number: Int) {
    for place in 0..<100_000 { numbers[place] = number }
  }
}

struct Upload: Sendable { var isOk: Bool }

func upload(_ done: @escaping @Sendable (Upload) -> Void) {
  DispatchQueue.global().async { done(Upload(isOk: false)) }
}

/// An event loop, by a queue.
struct EventLoop: Sendable {
  private let queue = DispatchQueue(label: "com.example.loop")
  func execute(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

let loop = EventLoop()

func enterBackground() {
  recorder.recordLifecycle(.didEnterBackground)
}

/// Answers off the main actor, as a database does.
actor Store {
  func rows() -> [String] { ["apples"] }
}

let recorder = try! BreadcrumbRecorder(path: CommandLine.arguments[2], capacity: 1 << 18)
let queue = DispatchQueue(label: "com.example.work")
let worker = DispatchQueue(label: "com.example.worker")
let board = Board()
let disk = Disk()
let repository = Repository()
let kiosk = Kiosk()
let ledger = Ledger()
let cache = Cache()
let store = Store()
let download = Download()
let prices = ["apples"]
let fetched = (0..<200).map { "row \($0)" }
let hop = MainHop(board, "rows", delivery: .always)
