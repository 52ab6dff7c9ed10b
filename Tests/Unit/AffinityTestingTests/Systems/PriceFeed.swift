import AffinityTesting
import Dispatch
import Synchronization
import ThreadAffinity

/// Shows prices as they come; what it has shown already it shows again at once.
///
/// Its bug is the short way for what is known: it forgets the hop.
final class PriceFeed: Sendable {
  private struct State {
    var known: Set<Int> = []
    var shown: [Int] = []
  }

  private let isFixed: Bool
  private let state = Mutex(State())

  init(isFixed: Bool) { self.isFixed = isFixed }

  /// Called back by the network, anywhere.
  func received(_ price: Int) {
    let isKnown = state.withLock { $0.known.contains(price) }
    if isKnown, !isFixed { return show(price) }
    DispatchQueue.main.async {
      self.state.withLock { _ = $0.known.insert(price) }
      self.show(price)
    }
  }

  private func show(_ price: Int) {
    expectMainQueue("price list")
    state.withLock { $0.shown.append(price) }
  }

  static func storm(isFixed: Bool) -> CallbackStorm.Body {
    { scenario in
      let feed = PriceFeed(isFixed: isFixed)
      scenario.callback("a price") { n in feed.received(n % 3) }
      scenario.callback("closing price") { feed.received(100) }
    }
  }
}
