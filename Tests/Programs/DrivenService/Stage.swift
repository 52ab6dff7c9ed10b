import Breadcrumbs
import CCrashHandler
import Dispatch
import Glibc
import ThreadAffinity

/// What the service works with.
final class Stage: Sendable {
  private let worker = DispatchQueue(label: "com.example.worker")
  private let hop: MainHop<Stage.Board>
  /// Watches only, and knows where its callback was registered.
  private let watch: MainHop<Stage.Board>
  /// Brings callbacks where they do not belong.
  private let astray: QueueHop<Stage.Board>
  private let board = Board()

  /// Belongs to the main queue.
  final class Board: @unchecked Sendable {
    private(set) var rows = 0

    @inline(never)
    func show(_ row: Int) {
      uiWork("board layout") {
        rows += 1
        if row % 3 == 0 { uiWork("row layout") { rows += 1 } }
      }
    }

    /// Work within work, both long enough to be told apart from what leaving a crumb takes.
    func showTable() {
      uiWork("table layout") {
        usleep(2000)
        uiWork("cell layout") { _ = usleep(2000) }
      }
    }
  }

  init() {
    hop = MainHop(board, "rows")
    watch = MainHop(board, "strays", delivery: .observe)
    astray = QueueHop(board, to: DispatchQueue(label: "com.example.side"), "astray")
  }

  func run(_ command: String, _ rest: String) {
    switch command {
    case "note":
      worker.sync {
        recorder.record(rest, category: "told", data: ["length": .integer(rest.count)])
      }
    case "violate": violate()
    case "hop": hop(Int(rest) ?? 1)
    case "stray": worker.sync { watch.send { $0.show(1) } }
    case "astray": sendAstray()
    case "wait": usleep(UInt32(rest).map { $0 * 1000 } ?? 0)
    case "work": DispatchQueue.main.sync { board.showTable() }
    case "hang": hang(Int(rest) ?? 1000)
    case "hold": hold(untilThereIs: rest)
    case "fill": fill(Int(rest) ?? 1000)
    case "unique":
      worker.sync {
        for number in 0..<(Int(rest) ?? 0) { recorder.record("text \(number)", category: "unique") }
      }
    case "flood": flood(rest.split(separator: " ").compactMap { Int($0) })
    case "threads": threads(Int(rest) ?? 1)
    case "active": recorder.recordLifecycle(.didBecomeActive)
    case "background": recorder.recordLifecycle(.didEnterBackground)
    case "crash": DispatchQueue.main.sync { fatalError("told to crash") }
    case "exit": exit(0)
    default: print("unknown: \(command)")
    }
  }

  @inline(never)
  private func violate() {
    worker.sync { board.show(1) }
  }

  @inline(never)
  private func sendAstray() {
    let group = DispatchGroup()
    group.enter()
    worker.sync {
      astray.send { board in
        board.show(1)
        group.leave()
      }
    }
    group.wait()
  }

  /// Waits until all have run.
  private func hop(_ count: Int) {
    let group = DispatchGroup()
    worker.sync {
      for row in 0..<count {
        group.enter()
        hop.send { board in
          board.show(row)
          group.leave()
        }
      }
    }
    group.wait()
  }

  /// A hang is seen only once the main queue has answered.
  private func hang(_ milliseconds: Int) {
    waitUntilWatched()
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
    // A signal ends a sleep early.
    DispatchQueue.main.sync {
      while DispatchTime.now().uptimeNanoseconds < end { usleep(10_000) }
    }
  }

  private func hold(untilThereIs file: String) {
    waitUntilWatched()
    DispatchQueue.main.sync {
      while access(file, F_OK) != 0 { usleep(10_000) }
    }
  }

  private func waitUntilWatched() {
    while !ms_hang_watch_is_armed() { usleep(1_000) }
  }

  /// Notes, hops and UI work, in turn; of a note both what repeats and what does not.
  private func fill(_ count: Int) {
    var left = count
    while left > 0 {
      let notes = left < 100 ? left : 66
      worker.sync {
        for number in 0..<notes {
          recorder.record(
            "request", category: "http", data: ["number": .integer(number), "path": "/prices"])
        }
      }
      left -= notes
      if left == 0 { return }
      // Ten arrivals and runs, ten layouts of the board, four of rows.
      hop(10)
      left -= 34
    }
  }

  private func flood(_ numbers: [Int]) {
    let (rate, seconds) = (numbers.first ?? 1000, numbers.dropFirst().first ?? 1)
    let start = DispatchTime.now().uptimeNanoseconds
    var left = 0
    for tick in 0..<(seconds * 100) {
      worker.sync {
        for number in 0..<(rate / 100) {
          recorder.record("tick", category: "flood", data: ["number": .integer(number)])
        }
      }
      left += rate / 100
      let due = start + UInt64(tick + 1) * 10_000_000
      let now = DispatchTime.now().uptimeNanoseconds
      if due > now { usleep(UInt32((due - now) / 1000)) }
    }
  }

  private func threads(_ count: Int) {
    for number in 0..<count {
      let thread = Thread {
        recorder.record("here", category: "thread", data: ["number": .integer(number)])
      }
      thread.join()
    }
  }
}

/// A thread that can be waited for.
private final class Thread {
  private var thread = pthread_t()
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Thread>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func join() { pthread_join(thread, nil) }
}
