import Breadcrumbs
import Dispatch
import Glibc
import ThreadAffinity

/// Ways to run off the queue, actor or thread that code belongs to; no UI work is marked in any.
let places: [String: Way] = [
  "wrong-queue": wrongQueue, "wrong-actor": wrongActor, "wrong-thread": wrongThread,
  "wrong-main": wrongMain, "no-answer": noAnswer, "two-writers": twoWriters,
  "two-readers": twoReaders, "right-queues": rightQueues, "thread-trap": threadTrap,
]

/// Rows that belong to a queue of their own.
final class Repository: @unchecked Sendable {
  let queue = DispatchQueue(label: "com.example.repository")
  let home: Affinity
  private var rows: [String] = []

  init() { home = .queue(queue) }

  @inline(never)
  func save(_ rows: [String]) {
    home.expect("rows are saved")
    self.rows = rows
    keepFrame()
  }
}

let repository = Repository()

@Sendable func wrongQueue(_ isWrong: Bool) {
  download.start { rows in
    if isWrong {
      repository.save(rows)
    } else {
      repository.queue.async(group: work) { repository.save(rows) }
    }
    keepFrame()
  }
  finish()
}

/// Queues that are the repository's, each in its way: one that targets it, and those that wait for it.
@Sendable func rightQueues(_ isWrong: Bool) {
  let inner = DispatchQueue(label: "com.example.repository.inner", target: repository.queue)
  inner.async(group: work) { repository.save(["apples"]) }
  download.queue.async(group: work) {
    repository.queue.sync { repository.save(["pears"]) }
    inner.sync { repository.save(["plums"]) }
  }
  DispatchQueue.main.async {
    repository.queue.sync { repository.save(["nuts"]) }
    finish()
  }
}

/// Prices of which an actor takes care, kept in a class that it shares with nobody.
final class PriceTable: @unchecked Sendable {
  private var prices: [String: Int] = [:]

  @inline(never)
  func set(_ price: Int, of item: String) {
    priceHome.expect("a price is set")
    prices[item] = price
    keepFrame()
  }
}

actor PriceKeeper {
  func set(_ price: Int, of item: String) { priceTable.set(price, of: item) }
}

let priceTable = PriceTable()
let priceKeeper = PriceKeeper()
let priceHome = Affinity.actor(priceKeeper)

@Sendable func wrongActor(_ isWrong: Bool) {
  Task {
    if isWrong {
      priceTable.set(7, of: "apples")
    } else {
      await priceKeeper.set(7, of: "apples")
    }
    finish()
  }
}

let renderHome = Affinity.thread("render")

@inline(never)
func render(_ rows: [String]) {
  renderHome.expect("a frame is drawn")
  keepFrame()
}

/// The first frame is drawn on a thread of its own, to which rendering belongs from then on.
private func renderOnce() {
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { _ in
      render(["apples"])
      return nil
    }, nil)
  pthread_join(thread, nil)
}

@Sendable func wrongThread(_ isWrong: Bool) {
  renderOnce()
  download.start { rows in
    if isWrong { render(rows) }
    keepFrame()
  }
  finish()
}

@inline(never)
func renderStrictly(_ rows: [String]) {
  renderHome.require("a frame is drawn")
  keepFrame()
}

/// The same, by a check that ends the process.
@Sendable func threadTrap(_ isWrong: Bool) {
  renderOnce()
  download.start { rows in
    if isWrong { renderStrictly(rows) }
    keepFrame()
  }
  finish()
}

/// A service's stock, which belongs to the main queue and is shown to nobody.
final class Stock: @unchecked Sendable {
  private var count = 0

  @inline(never)
  func receive(_ more: Int) {
    expectMainQueue("stock changes")
    count += more
    keepFrame()
  }
}

let stock = Stock()

@Sendable func wrongMain(_ isWrong: Bool) {
  let queue = isWrong ? DispatchQueue(label: "com.example.deliveries") : DispatchQueue.main
  queue.async(group: work) {
    stock.receive(7)
    keepFrame()
  }
  finish()
}

/// An answer that does not come in time says so as a violation, and is no matter of where code runs.
@Sendable func noAnswer(_ isWrong: Bool) {
  let hop = MainHop(board, "rows")
  DispatchQueue.main.async {
    let asked = DispatchSemaphore(value: 0)
    download.queue.async {
      _ = hop.ask(within: .milliseconds(20), orElse: false) { _ in true }
      asked.signal()
    }
    asked.wait()
    finish()
  }
}

/// A cache that two threads write, without a lock.
final class Cache: @unchecked Sendable {
  private var slots = [Int](repeating: 0, count: 8)
  private let writes = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() { writes.initialize(to: 0) }

  /// Writes on until the end, and calls nothing for it; where `isDamaged`, through a pointer that leads
  /// nowhere, once the other one writes beside it.
  @inline(never)
  func store(_ isDamaged: Bool) {
    let (writes, before) = (writes, writes.pointee)
    while true {
      if !isDamaged {
        writes.pointee &+= 1
      } else if writes.pointee &- before > 1_000 {
        UnsafeMutablePointer<Int>(bitPattern: 0x5ead_0000)!.pointee = 1
      }
    }
  }

  /// Reads on, and dies of a value that is not there.
  @inline(never)
  func read(_ isMissing: Bool, from signal: DispatchSemaphore) {
    signal.signal()
    var sum = 0
    for number in 0..<1_000_000_000 {
      sum &+= slots[number % 8]
      if isMissing, number == 1_000_000 { sum &+= Int(arguments[1])! }
    }
    recorder.record("read \(sum)")
  }
}

@Sendable func twoWriters(_ isWrong: Bool) {
  let cache = Cache()
  if !isWrong { exit(0) }
  // Each has a thread of its own, also where there is one processor.
  for isDamaged in [false, true] {
    DispatchQueue(label: "com.example.writer").async { cache.store(isDamaged) }
  }
}

/// Two requests in one function, one of which has no value: of no matter to each other.
@Sendable func twoReaders(_ isWrong: Bool) {
  let cache = Cache()
  let there = DispatchSemaphore(value: 0)
  DispatchQueue.global().async { cache.read(false, from: there) }
  there.wait()
  DispatchQueue.global().async { cache.read(true, from: there) }
}
