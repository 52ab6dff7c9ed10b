import IncidentModel

/// Ties the crumbs of hops together by their ids; holds only what is under way.
struct HopJoin {
  /// A hop that has arrived.
  struct Arrival {
    var monotonic: UInt64
    var thread: Int
    var queue: UInt32
    var order: Int
    var name: String
  }

  private(set) var pending: [UInt64: Arrival] = [:]
  private var arrivals = 0
  private let most = 1 << 16

  mutating func observe(_ event: Event) {
    guard let id = event.hop else { return }
    if event.messageBytes.isEqual(to: "arrival") {
      // Hops whose end was recycled would stay for ever.
      if pending.count >= most { pending.removeAll() }
      arrivals += 1
      pending[id] = Arrival(
        monotonic: event.monotonic, thread: event.thread, queue: event.queueNumber,
        order: arrivals, name: event.text("name") ?? "")
    } else {
      pending[id] = nil
    }
  }
}
