import Dispatch
import Glibc
import Hummingbird
import Mainstay
import NIOCore
import NIOPosix

/// The client of a supplier. As such clients do, it calls back on a queue of its own.
final class Supplier: Sendable {
  private let queue = DispatchQueue(label: "com.example.supplier.client")

  /// Asks for the price of an item, in cents.
  func ask(for item: String, _ answer: @escaping @Sendable (Int) -> Void) {
    queue.async {
      if item == "ghost", Bug.leak.isIn { return }  // nobody is answered
      answer(item.count * 100)
    }
  }
}

/// The prices known. They belong to their queue, which `affinity` checks.
final class Prices: @unchecked Sendable {
  let queue = DispatchQueue(label: "com.example.shop.prices")
  private let affinity: Affinity
  private var prices: [String: Int] = [:]

  init() { affinity = .queue(queue) }

  func set(_ price: Int, of item: String) {
    affinity.expect("prices change")
    prices[item] = price
  }
}

/// The same on the main actor.
@MainActor final class PriceBoard {
  private(set) var prices: [String: Int] = [:]

  nonisolated init() {}

  func set(_ price: Int, of item: String) { prices[item] = price }
}

/// The same as an actor.
actor PriceBook {
  private var prices: [String: Int] = [:]

  func set(_ price: Int, of item: String) { prices[item] = price }

  nonisolated func setAtOnce(_ price: Int, of item: String) {
    assumeIsolated { $0.set(price, of: item) }
  }
}

struct PriceRoutes: Sendable {
  private let supplier = Supplier()
  private let prices = Prices()
  private let board = PriceBoard()
  private let book = PriceBook()
  private let hop: QueueHop<Prices>

  init() { hop = QueueHop(prices, to: prices.queue, "prices") }

  func add(to routes: RouterGroup<BasicRequestContext>) {
    routes.get(":item") { _, context in
      let item = try context.parameters.require("item")
      return "\(try await price(of: item))"
    }
    // Three ways to bring a callback to where its state belongs.
    routes.post(":item/queue") { _, context in
      refreshOnQueue(try context.parameters.require("item"))
      return HTTPResponse.Status.accepted
    }
    routes.post(":item/main") { _, context in
      refreshOnMain(try context.parameters.require("item"))
      return HTTPResponse.Status.accepted
    }
    routes.post(":item/actor") { _, context in
      refreshOnActor(try context.parameters.require("item"))
      return HTTPResponse.Status.accepted
    }
    routes.get(":item/forecast") { request, context in
      "\(try await forecast(of: try context.parameters.require("item")))"
    }
  }

  private func price(of item: String) async throws -> Int {
    await withCheckedContinuation { waiting in  // bug: leak
      supplier.ask(for: item) { price in waiting.resume(returning: price) }
    }
  }

  private func refreshOnQueue(_ item: String) {
    supplier.ask(for: item) { price in
      if Bug.offQueue.isIn {
        prices.set(price, of: item)  // bug: off-queue
      } else {
        hop.send { $0.set(price, of: item) }
      }
    }
  }

  private func refreshOnMain(_ item: String) {
    supplier.ask(for: item) { price in
      Task { @MainActor in board.set(price, of: item) }
    }
  }

  private func refreshOnActor(_ item: String) {
    supplier.ask(for: item) { price in
      if Bug.offActor.isIn {
        book.setAtOnce(price, of: item)  // bug: off-actor
      } else {
        Task { await book.set(price, of: item) }
      }
    }
  }

  /// Sums up a year. On the loop, all its connections wait meanwhile.
  private func forecast(of item: String) async throws -> Int {
    guard Bug.busyLoop.isIn else { return Self.sum(days: 365) }
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    return try await loop.submit { Self.sum(forSeconds: 3) }.get()
  }

  private static func sum(days: Int) -> Int {
    (0..<days).reduce(0) { $0 &* 31 &+ $1 }
  }

  /// Takes about so long of a processor, however busy the machine is.
  private static func sum(forSeconds seconds: Int) -> Int {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    let end = now.tv_sec + seconds
    while now.tv_sec < end { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) }  // bug: busy-loop
    return end
  }
}
