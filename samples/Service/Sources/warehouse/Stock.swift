import Dispatch
import Hummingbird
import Mainstay

/// What lies on the shelves.
struct Shelves {
  private let shelves = ["apples": 3, "pears": 5]
  private let slots = ["A1", "A2", "B1", "B2"]

  func shelf(of sku: String) -> Int {
    let shelf = shelves[sku]!
    return shelf
  }

  func slot(_ number: Int) -> String {
    let slot = slots[number]
    return slot
  }

  func total(adding count: Int) -> Int {
    shelves.values.reduce(count) { sum, next in
      sum + next
    }
  }

  func soldPerDay(_ sold: Int, days: Int) -> Int {
    let perDay = sold / days
    return perDay
  }

  func label(weight: Int) -> UInt8 {
    let short = UInt8(weight)
    return short
  }

  func window(from first: Int, to last: Int) -> Int {
    let window = first..<last
    return window.count
  }

  func reserve(_ count: Int) -> Int {
    precondition(count > 0, "a reservation needs a count")
    return count
  }

  func release(_ count: Int) -> Int {
    precondition(count > 0)
    return -count
  }

  func merged(_ skus: [String]) -> Int {
    let merged = Dictionary(uniqueKeysWithValues: skus.map { ($0, 1) })
    return merged.count
  }
}

/// The book of what came and went. `@unchecked Sendable`: it belongs to its queue, which `affinity` checks.
final class StockLedger: @unchecked Sendable {
  let queue = DispatchQueue(label: "com.example.warehouse.ledger")
  private let affinity: Affinity
  private var balance = 0

  init() { affinity = .queue(queue) }

  func book(_ count: Int) {
    affinity.expect("the ledger is written")
    balance += count
  }

  func close(expecting total: Int) {
    queue.sync {
      if balance != total { fatalError("the ledger does not add up") }
    }
  }

  func audit() -> Int {
    dispatchPrecondition(condition: .onQueue(queue))
    return balance
  }

  func seal() {
    affinity.require("the ledger is sealed")
    balance = 0
  }

  func transfer(_ count: Int) {
    queue.sync {
      reverse(count)
    }
  }

  private func reverse(_ count: Int) {
    queue.sync { balance -= count }
  }
}

/// Moves stock between two ledgers, whose books must agree.
final class Rebalancing: Sendable {
  private let one = StockLedger()
  private let other = StockLedger()

  /// Books on both ledgers, from each to the other.
  func start() {
    let bothAreIn = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    move(from: one, to: other, bothAreIn, goOn)
    move(from: other, to: one, bothAreIn, goOn)
    bothAreIn.wait()
    bothAreIn.wait()
    goOn.signal()
    goOn.signal()
  }

  private func move(
    from one: StockLedger, to other: StockLedger, _ isIn: DispatchSemaphore,
    _ goOn: DispatchSemaphore
  ) {
    one.queue.async {
      isIn.signal()
      goOn.wait()
      other.queue.sync { other.book(1) }
    }
  }
}

struct StockRoutes {
  let dashboard: Dashboard
  let shelves = Shelves()
  let ledger = StockLedger()
  let rebalancing = Rebalancing()

  func add(to routes: Routes) {
    routes.post("recount") { _, _ in
      dashboard.stockChanged()
      return "counted"
    }
    routes.post("shelf") { request, _ in "\(shelves.shelf(of: request.word("sku")))" }
    routes.post("slot") { request, _ in shelves.slot(request.number("number")) }
    routes.post("total") { request, _ in "\(shelves.total(adding: request.number("count")))" }
    routes.post("sold") { request, _ in
      "\(shelves.soldPerDay(request.number("count"), days: request.number("days")))"
    }
    routes.post("label") { request, _ in "\(shelves.label(weight: request.number("weight")))" }
    routes.post("window") { request, _ in
      "\(shelves.window(from: request.number("from"), to: request.number("to")))"
    }
    routes.post("reserve") { request, _ in "\(shelves.reserve(request.number("count")))" }
    routes.post("release") { request, _ in "\(shelves.release(request.number("count")))" }
    routes.post("merge") { request, _ in
      "\(shelves.merged([request.word("one"), request.word("other")]))"
    }
    addLedger(to: routes.group("ledger"))
  }

  private func addLedger(to routes: Routes) {
    routes.post("book") { request, _ in
      ledger.book(request.number("count"))
      return "booked"
    }
    routes.post("close") { request, _ in
      ledger.close(expecting: request.number("total"))
      return "closed"
    }
    routes.post("audit") { _, _ in "\(ledger.audit())" }
    routes.post("seal") { _, _ in
      ledger.seal()
      return "sealed"
    }
    routes.post("transfer") { request, _ in
      ledger.transfer(request.number("count"))
      return "moved"
    }
    routes.post("rebalance") { _, _ in
      rebalancing.start()
      return "moving"
    }
  }
}
