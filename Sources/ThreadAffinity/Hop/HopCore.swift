internal import CQueueState
internal import Dispatch
import Synchronization

/// What every kind of hop does: takes calls in, keeps their order, and lets them run where they belong.
final class HopCore: Sendable {
  let name: StaticString
  let site: CallSite
  let delivery: HopDelivery
  let destination: Affinity
  let policy: Policy?
  /// Where the hop was made, which is where the callback was handed over.
  let registration: Origin

  private let queue: DispatchQueue
  // Alive as long as `queue`.
  nonisolated(unsafe) private let address: UnsafeMutableRawPointer
  // How many calls are enqueued and not yet begun; and, above them, whether the hop is cancelled.
  private let state = Atomic<Int>(0)
  private static let cancelled = 1 << 62

  init(
    _ name: StaticString, to queue: DispatchQueue, _ destination: Affinity, _ delivery: HopDelivery,
    site: CallSite
  ) {
    self.name = name
    self.site = site
    self.delivery = delivery
    self.destination = destination
    self.queue = queue
    address = UnsafeMutableRawPointer(mutating: queue.address)
    policy = Policy.scope
    registration = Origin(.registered, site: site, stack: capturedStack())
  }

  /// Whether the caller is where the calls belong.
  var isHere: Bool { ms_queue_on(address) }

  /// Takes a call in.
  func send(_ call: @escaping HopCall) {
    switch delivery {
    case .automatic:
      if state.load(ordering: .acquiring) == 0 && isHere { return run(call) }
    case .inline:
      return run(call)
    case .observe:
      return observe(call)
    case .always:
      break
    }
    // A cancelled hop enqueues too: what the call holds is let go where it belongs.
    enqueue(Arrival(at: self, call: call))
  }

  /// Takes in a call that belongs to the main actor; the hop is what makes that true.
  func sendToMain(_ call: @escaping @MainActor (_ begin: () -> Void) -> Bool) {
    send(unsafeBitCast(call, to: HopCall.self))
  }

  /// Stops the hop: no call begins after this returns. One that has begun goes on.
  func cancel() {
    state.bitwiseOr(HopCore.cancelled, ordering: .acquiringAndReleasing)
  }

  var isCancelled: Bool { state.load(ordering: .acquiring) & HopCore.cancelled != 0 }

  func enqueue(_ arrival: Arrival) {
    state.add(1, ordering: .acquiringAndReleasing)
    arrival.record(.arrival)
    let context = Unmanaged.passRetained(arrival).toOpaque()
    let isSent = ms_queue_async(address, context) { context in
      Unmanaged<Arrival>.fromOpaque(context!).takeRetainedValue().arrive()
    }
    precondition(isSent, "a hop needs libdispatch")
  }

  /// Whether a call that was enqueued may begin; from then on it is no longer pending.
  func begin() -> Bool {
    let before = state.subtract(1, ordering: .acquiringAndReleasing).oldValue
    return before & HopCore.cancelled == 0
  }

  private func run(_ call: HopCall) {
    let recorder = AffinityRecording.recorder
    let id = recorder == nil ? 0 : HopID.next()
    func record(_ step: HopStep) { recorder?.recordHop(step, id: id, name: name, site: site) }
    record(.arrival)
    if isCancelled || !call({ record(.run(nanoseconds: 0)) }) { record(.drop) }
  }

  private func observe(_ call: @escaping HopCall) {
    let arrival = Arrival(at: self, call: call)
    arrival.record(.arrival)
    if isCancelled { return arrival.record(.drop) }
    arrival.deliver {
      if !isHere { reportArrival() }
      arrival.run()
    }
  }

  private func reportArrival() {
    func report() {
      _ = destination.bindOrReport({ "callback of \(name)" }, site)
    }
    if let policy { policy.scoped(report) } else { report() }
  }
}

/// A call: runs `begin` and then itself, and returns whether there was anyone to call.
typealias HopCall = (_ begin: () -> Void) -> Bool

/// The ids of hops, given only where a recorder uses them.
enum HopID {
  private static let last = Atomic<UInt64>(0)
  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
