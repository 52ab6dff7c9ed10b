import Dispatch
import Glibc
import Hummingbird
import NIOCore
import NIOPosix

/// Asks suppliers, who answer late, only sometimes or never.
struct Suppliers {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  /// The supplier calls back with 0 where it has no price.
  func price(of sku: String) async -> Int {
    await withCheckedContinuation { continuation in
      ask(sku) { price in
        if price > 0 { continuation.resume(returning: price) }
      }
    }
  }

  private func ask(_ sku: String, _ answer: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.global().async { answer(sku.isEmpty ? 1 : 0) }
  }

  /// Slow, and nothing is wrong with it.
  func stock(after seconds: Int) async -> Int {
    try? await Task.sleep(for: .seconds(seconds))
    return seconds
  }

  /// Waits on the loop for as long as the supplier takes.
  func call(for seconds: Int) {
    loop.execute {
      hold(the: seconds)
    }
  }

  private func hold(the seconds: Int) {
    sleep(UInt32(seconds))
  }

  func deliver(_ crates: Int) -> Int {
    loaded(crates) + 1
  }

  /// Small enough to become part of its caller.
  @inline(__always)
  private func loaded(_ crates: Int) -> Int {
    precondition(crates < 100, "a lorry has room for 100")
    return crates
  }

  func quote(_ sku: String) -> Int {
    let offer = offer(sku)
    return offer.eventLoop.inEventLoop ? 1 : 0
  }

  private func offer(_ sku: String) -> EventLoopFuture<Int> {
    let promise = loop.makePromise(of: Int.self)
    if sku.isEmpty { promise.succeed(0) }
    return promise.futureResult
  }

  /// Keeps all threads of the pool, each in a call that sleeps.
  func callAll(_ count: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { hold(the: 60) } }
    }
  }
}

struct SupplierRoutes {
  let suppliers = Suppliers()

  func add(to routes: Routes) {
    routes.post("price") { request, _ in "\(await suppliers.price(of: request.word("sku")))" }
    routes.post("stock") { request, _ in "\(await suppliers.stock(after: request.number("after")))"
    }
    routes.post("call") { request, _ in
      suppliers.call(for: request.number("seconds"))
      return "calling"
    }
    routes.post("deliver") { request, _ in "\(suppliers.deliver(request.number("crates")))" }
    routes.post("quote") { request, _ in "\(suppliers.quote(request.word("sku")))" }
    routes.post("all") { request, _ in
      await suppliers.callAll(request.number("count"))
      return "called"
    }
  }
}
