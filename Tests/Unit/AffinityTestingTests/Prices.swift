import Dispatch
import ThreadAffinity

/// A label that belongs to the main queue.
final class PriceLabel: Sendable {
  @inline(never)
  func show(_ price: Int) {
    expectMainQueue("price label")
  }
}

/// Calls back on a queue of its own, as libraries do.
func answer(_ completion: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "test.network").async {
      completion()
      continuation.resume()
    }
  }
}

func onMain(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async {
      body()
      continuation.resume()
    }
  }
}

/// Runs `body` here, off the main queue.
func offMain(_ body: () -> Void) { body() }
