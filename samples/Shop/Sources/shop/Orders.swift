import Dispatch
import Hummingbird
import Logging
import Mainstay
import ServiceLifecycle

/// The orders taken.
actor Orders {
  private var counts: [Int] = []

  func take(_ count: Int) -> Int {
    counts.append(count)
    return counts.count
  }

  func count(of order: Int) -> Int? {
    if Bug.crash.isIn { return counts[order - 1] }  // bug: crash
    return counts.indices.contains(order - 1) ? counts[order - 1] : nil
  }
}

struct OrderRoutes: Sendable {
  let mails: Mails
  private let orders = Orders()
  private let logger = Logger(label: "shop.orders")

  init(mails: Mails) { self.mails = mails }

  func add(to routes: RouterGroup<BasicRequestContext>) {
    routes.get(":order") { _, context in
      let order = try context.parameters.require("order", as: Int.self)
      guard let count = await orders.count(of: order) else { throw HTTPError(.notFound) }
      return "\(count)"
    }
    routes.post { request, _ in
      let order = await orders.take(request.uri.queryParameters["count"].flatMap { Int($0) } ?? 1)
      return try await withCrumbs(["order": order]) {
        logger.info("order taken")
        await mails.send("order \(order)")
        return "\(order)"
      }
    }
  }
}

/// Sends mails, one after the other. A service of its own, which ends when the last one has left.
actor Mails: Service {
  private let gateway = DispatchQueue(label: "com.example.mail.gateway")
  private var sent = 0

  func run() async throws {
    try? await gracefulShutdown()
    await flush()
  }

  func send(_ mail: String) async {
    if Bug.blocking.isIn {
      let hasLeft = DispatchSemaphore(value: 0)
      gateway.asyncAfter(deadline: .now() + 0.5) { hasLeft.signal() }
      Self.wait(for: hasLeft)
    }
    sent += 1
  }

  private nonisolated static func wait(for hasLeft: DispatchSemaphore) {
    hasLeft.wait()  // bug: blocking
  }

  /// Waits until the gateway has taken all.
  private func flush() async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in  // bug: shutdown
      if Bug.shutdown.isIn {
        kept = done  // nobody resumes it
      } else {
        gateway.async { done.resume() }
      }
    }
  }

  private var kept: CheckedContinuation<Void, Never>?
}
