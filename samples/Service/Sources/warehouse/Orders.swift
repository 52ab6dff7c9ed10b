import Dispatch
import Hummingbird
import Mainstay

/// Who orders.
final class Customer {
  let name: String

  init(_ name: String) { self.name = name }
}

/// An order holds its customer loosely: the customer file keeps them.
final class Order {
  unowned let customer: Customer
  var lines: [String] = []

  init(of customer: Customer) { self.customer = customer }

  func owner() -> String {
    let name = customer.name
    return name
  }
}

/// What has been ordered. Belongs to itself.
actor OrderBook {
  private var orders: [String] = []
  nonisolated var affinity: Affinity { .actor(self) }

  func place(_ order: String) { orders.append(order) }

  /// Called by whoever is in the book already.
  nonisolated func amend(_ order: String) {
    assumeIsolated { book in book.orders.append(order) }
  }

  nonisolated func touch() { affinity.expect("orders change") }
}

/// Jobs for the label printer. `@unchecked Sendable`: nothing protects it, and that is its bug.
final class PrintQueue: @unchecked Sendable {
  private var jobs = [1, 2, 3]

  func reprint() {
    renumber(&jobs) { jobs.count }
  }

  private func renumber(_ jobs: inout [Int], by count: () -> Int) {
    for index in jobs.indices { jobs[index] += count() }
  }
}

/// Sums by day, filled by several hands. `@unchecked Sendable`: nothing protects it, and that is its bug.
final class OrderTotals: @unchecked Sendable {
  private var totals: [Int: Int] = [:]

  func add(_ rounds: Int) {
    DispatchQueue.concurrentPerform(iterations: 4) { hand in
      for round in 0..<rounds { count(round &* 4 &+ hand) }
    }
  }

  private func count(_ day: Int) {
    totals[day, default: 0] += 1
    if totals.count > 1000 { totals.removeAll() }
  }
}

/// A file of orders on its way out; says goodbye to the archive.
final class OrderFile {
  nonisolated(unsafe) private static var archive: [OrderFile] = []
  private let number: Int

  init(_ number: Int) { self.number = number }

  deinit { Self.archive.append(self) }
}

struct ImportError: Error {
  var row: Int
}

/// The tree of goods.
final class Category {
  private let parent: Int
  private var path: [Int] = []

  init(parent: Int) { self.parent = parent }

  func depth(of number: Int) -> Int {
    var seen = path
    seen.append(number)
    return depth(of: parent &+ number) + seen.count
  }
}

struct OrderRoutes {
  let recorder: BreadcrumbRecorder
  let book = OrderBook()
  let totals = OrderTotals()
  let printer = PrintQueue()

  func add(to routes: Routes) {
    routes.post("place") { request, _ in
      await book.place(request.word("order"))
      return "placed"
    }
    routes.post("import") { request, _ in "\(rows(through: request.number("row")))" }
    routes.post("owner") { request, _ in owner(of: request.word("order")) }
    routes.post("bill") { request, _ in bill(request.number("order")) }
    routes.post("reprint") { _, _ in
      printer.reprint()
      return "printed"
    }
    routes.post("amend") { request, _ in
      book.amend(request.word("order"))
      return "amended"
    }
    routes.post("touch") { _, _ in
      book.touch()
      return "touched"
    }
    routes.post("totals") { request, _ in
      totals.add(request.number("rounds"))
      return "added"
    }
    routes.post("archive") { request, _ in
      _ = OrderFile(request.number("order"))
      return "archived"
    }
    routes.post("depth") { request, _ in
      "\(Category(parent: 1).depth(of: request.number("category")))"
    }
    routes.post("confirm") { request, _ in "\(await confirmation(of: request.number("order")))" }
    routes.post("fulfil") { request, _ in "\(await fulfil(request.word("order")))" }
    routes.post("approve") { _, _ in "\(await approval())" }
  }

  private func parse(_ row: Int) throws -> Int {
    if row > 2 { throw ImportError(row: row) }
    return row
  }

  private func rows(through last: Int) -> Int {
    let rows = (0...last).map { try! parse($0) }
    return rows.count
  }

  private func owner(of number: String) -> String {
    let order = Order(of: Customer(number))
    return order.owner()
  }

  private func bill(_ number: Int) -> String {
    let papers: [Any] = [number, "bill \(number)"]
    let bill = papers[number % 2] as! String
    return bill
  }

  private func confirmation(of order: Int) async -> Int {
    await withCheckedContinuation { continuation in
      continuation.resume(returning: order)
      if order > 0 { continuation.resume(returning: 0) }
    }
  }

  /// Nobody approves any more.
  private func approval() async -> Int {
    recorder.record("approval is asked for", category: "orders")
    return await withUnsafeContinuation { continuation in
      _ = continuation
    }
  }

  private func fulfil(_ order: String) async -> Int {
    let picked = await pick(order)
    return picked + 1
  }

  private func pick(_ order: String) async -> Int {
    await Task.yield()
    let picks = ["apples": 1]
    let picked = picks[order]!
    return picked
  }
}
