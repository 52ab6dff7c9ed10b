import Breadcrumbs
import Dispatch
import Glibc
import ThreadAffinity

/// A way to misbehave, or to behave in the same place.
typealias Way = @Sendable (_ isWrong: Bool) -> Void

/// What is shown; belongs to the main queue.
final class Board: @unchecked Sendable {
  private var rows: [String] = []

  @inline(never)
  func show(_ rows: [String]) {
    uiWork("board layout") { self.rows = rows }
  }

  /// Shows rows where the queue is asked first, and dies for it.
  @inline(never)
  func showStrictly(_ rows: [String]) {
    dispatchPrecondition(condition: .onQueue(.main))
    self.rows = rows
    keepFrame()
  }

  @inline(never)
  func showIsolated(_ rows: [String]) {
    MainActor.assumeIsolated { self.rows = rows }
    keepFrame()
  }

  @inline(never)
  func showSlowly(_ rows: [String], for microseconds: UInt32) {
    uiWork("board layout") {
      usleep(microseconds)
      self.rows = rows
    }
  }
}

/// A call after the last one keeps a function's frame on the stack.
@inline(never)
@_optimize(none)
func keepFrame() {}

/// Answers on a queue of its own, as libraries do.
final class Download: Sendable {
  let queue = DispatchQueue(label: "com.example.download")

  @inline(never)
  func start(after milliseconds: Int = 20, _ completion: @escaping @Sendable ([String]) -> Void) {
    work.enter()
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      completion(["apples"])
      keepFrame()
      work.leave()
    }
  }
}

/// Answers to a delegate, on a queue of its own.
protocol ProductsRequestDelegate: AnyObject, Sendable {
  func productsRequest(_ request: ProductsRequest, didReceive products: [String])
}

/// A request to a store.
final class ProductsRequest: @unchecked Sendable {
  weak var delegate: (any ProductsRequestDelegate)?
  private let queue = DispatchQueue(label: "com.example.store.products")

  @inline(never)
  func start() {
    work.enter()
    queue.asyncAfter(deadline: .now() + .milliseconds(20)) {
      self.deliver(["apples"])
      work.leave()
    }
  }

  @inline(never)
  private func deliver(_ products: [String]) {
    delegate?.productsRequest(self, didReceive: products)
    keepFrame()
  }
}

/// An old session whose calls must be made on the main queue, and which says so.
final class LegacySession: Sendable {
  @inline(never)
  func confirm(_ products: [String]) {
    requireMainQueue("this method must be called on the main queue")
    keepFrame()
  }
}
