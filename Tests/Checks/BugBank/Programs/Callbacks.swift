import Dispatch
import Synchronization
import ThreadAffinity

/// A label that is set wherever the answer arrives.
package final class PriceBoard: Sendable {
  package init() {}

  package func received(_ price: Int) {
    if isFixed { DispatchQueue.main.async { self.show(price) } } else { show(price) }
  }

  @inline(never)
  private func show(_ price: Int) { expectMainQueue("price label") }
}

/// A screen that shows what arrives after it was closed.
package final class ClosingScreen: Sendable {
  private let state = Mutex((isClosed: false, shownAfter: false))

  package init() {}

  package func close() { state.withLock { $0.isClosed = true } }

  package func received() {
    DispatchQueue.main.async {
      self.state.withLock { state in
        if isFixed, state.isClosed { return }
        if state.isClosed { state.shownAfter = true }
      }
    }
  }

  package var hasShownWhenClosed: Bool { state.withLock { $0.shownAfter } }
}

/// A feed that lays out in the background.
package final class BackgroundFeed: Sendable {
  private let state = Mutex((isInBackground: false, hasLaidOut: false))

  package init() {}

  package func follow(isInBackground: Bool) {
    state.withLock { $0.isInBackground = isInBackground }
  }

  package func received() {
    DispatchQueue.main.async {
      let laysOut = self.state.withLock { state in
        if isFixed, state.isInBackground { return false }
        if state.isInBackground { state.hasLaidOut = true }
        return true
      }
      if laysOut { uiWork("layout") {} }
    }
  }

  package var hasLaidOutInBackground: Bool { state.withLock { $0.hasLaidOut } }
}

/// A payment that is booked again with each answer that is repeated.
package final class Payment: Sendable {
  private let state = Mutex((bookings: 0, isDone: false))

  package init() {}

  package func confirmed() {
    state.withLock { state in
      if isFixed, state.isDone { return }
      state.isDone = true
      state.bookings += 1
    }
  }

  package var bookings: Int { state.withLock { $0.bookings } }
}

/// A delegate that requires the main queue, and is called on another.
package final class StoreDelegate: Sendable {
  package init() {}

  package func received() {
    if isFixed { DispatchQueue.main.async { self.reload() } } else { reload() }
  }

  @inline(never)
  private func reload() { dispatchPrecondition(condition: .onQueue(.main)) }
}

/// A parser that hands its result to the main queue, but checks too early that it is there.
package final class Importer: Sendable {
  private let worker = DispatchQueue(label: "importer")

  package init() {}

  package func received() {
    worker.async {
      if isFixed { DispatchQueue.main.async { self.finish() } } else { self.finish() }
    }
  }

  @inline(never)
  private func finish() { dispatchPrecondition(condition: .onQueue(.main)) }
}

/// A picture row that shows whatever picture comes last.
package final class PictureRow: Sendable {
  private let state = Mutex((item: 0, shown: 0))
  private let load: @Sendable (Int, @escaping @Sendable () -> Void) -> Void

  package init(load: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Void) {
    self.load = load
  }

  /// Shows the next item.
  package func scroll() {
    let item = state.withLock { state in
      state.item += 1
      state.shown = state.item
      return state.item
    }
    load(item) {
      self.state.withLock { state in
        if isFixed, state.item != item { return }
        state.shown = item
      }
    }
  }

  package var showsItsOwn: Bool { state.withLock { $0.shown == $0.item } }
}

/// A search whose older answer may overwrite the newer one's.
package final class Search: Sendable {
  private let state = Mutex((asked: 0, shown: 0))
  private let ask: @Sendable (@escaping @Sendable () -> Void) -> Void

  package init(ask: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.ask = ask }

  package func type() {
    let number = state.withLock { state in
      state.asked += 1
      return state.asked
    }
    ask {
      self.state.withLock { state in
        state.shown = isFixed ? max(state.shown, number) : number
      }
    }
  }

  /// Never goes back to an older answer.
  package func newest(after last: Int) -> Int? {
    state.withLock { $0.shown >= last ? $0.shown : nil }
  }
}
