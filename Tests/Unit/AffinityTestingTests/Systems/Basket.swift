import AffinityTesting
import Dispatch
import Synchronization
import ThreadAffinity

/// Buys what is in it; the store confirms each purchase.
///
/// Its bug: a confirmation that comes a second time, as stores do after a lost answer, is booked again.
final class Basket: Sendable {
  private struct State {
    var bought = 0
    var booked: [Int] = []
  }

  typealias Buy = @Sendable (_ confirmation: @escaping @Sendable () -> Void) -> Void

  private let isFixed: Bool
  private let buy: Buy
  private let state = Mutex(State())

  init(isFixed: Bool, buy: @escaping Buy) {
    self.isFixed = isFixed
    self.buy = buy
  }

  func buyNext() {
    let number = state.withLock {
      $0.bought += 1
      return $0.bought
    }
    buy { DispatchQueue.main.async { self.book(number) } }
  }

  private func book(_ number: Int) {
    expectMainQueue("basket")
    state.withLock {
      if isFixed, $0.booked.contains(number) { return }
      $0.booked.append(number)
    }
  }

  var isBookedOnceEach: Bool { state.withLock { Set($0.booked).count == $0.booked.count } }

  static func storm(isFixed: Bool) -> CallbackStorm.Body {
    { scenario in
      let confirmations = scenario.completions("confirmation")
      let basket = Basket(isFixed: isFixed) { confirmations.add($0) }
      scenario.action("buy") { basket.buyNext() }
      scenario.check("each purchase is booked once") { basket.isBookedOnceEach }
    }
  }
}
