internal import CRecorder
internal import Dispatch
import Synchronization

// `@unchecked` because of the subclass; every stored property is constant or atomic.
/// The common part of all hops: accepts calls, keeps their order, and runs them at the destination.
class HopCore: HopLabel, @unchecked Sendable {
  final let delivery: HopDelivery
  final let destination: Affinity
  final let policy: ViolationPolicy?
  /// The place where the hop was created with its callback.
  final let registration: ViolationOrigin

  /// The path by which calls reach the destination.
  enum Route {
    case queue(DispatchQueue)
    /// A single consumer that takes the arrivals in order. A task for each arrival would not keep the order.
    case consumer(AsyncStream<Arrival>.Continuation)
    case loop(LoopHome)
  }

  private let route: Route
  // The libdispatch queue of the destination, alive as long as `route`; nil if the destination is not a
  // queue.
  nonisolated(unsafe) final let address: UnsafeMutableRawPointer?

  // The numbers of calls that were enqueued and that have begun. Senders write the first counter, and the
  // destination writes the second: separate cache lines prevent false sharing.
  private let enqueued = Atomic<Int>(0)
  private let apart = Padding()
  private let begun = Atomic<Int>(0)
  private let cancelled = Atomic<Bool>(false)

  init(
    _ name: StaticString, on route: Route, to destination: Affinity, _ delivery: HopDelivery,
    for target: AnyObject? = nil, site: CallSite, from caller: UInt
  ) {
    self.delivery = delivery
    self.destination = destination
    self.route = route
    if case .queue(let queue) = route {
      address = UnsafeMutableRawPointer(mutating: queue.address)
    } else {
      address = nil
    }
    policy = ViolationPolicy.scope
    registration = ViolationOrigin(.registered, site: site, frames: capturedStack(from: caller))
    let target = target.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
    super.init(name, site, target ?? 0)
  }

  /// True if a call may run on the thread on which it arrives. Only the consumer task may enter an
  /// actor.
  private var isEnteredAtOnce: Bool {
    if case .consumer = route { false } else { true }
  }

  /// True if the calling code already runs at the destination.
  final var isHere: Bool {
    guard let address else { return destination.isCurrent }
    return ms_queue_on(address)
  }

  /// True if an enqueued call has not begun yet.
  final var isPending: Bool {
    enqueued.load(ordering: .acquiring) != begun.load(ordering: .acquiring)
  }

  /// True if a call may run in place, at once.
  final var runsHere: Bool {
    switch delivery {
    case .automatic:
      isEnteredAtOnce && isHere && !isPending
    case .inline: true
    case .always, .observe: false
    }
  }

  /// True if this delivery mode ever enqueues calls.
  final var enqueues: Bool { delivery == .automatic || delivery == .always }

  /// Runs a call at once if allowed; otherwise enqueues the call.
  final func send(_ call: __owned @escaping HopCall, from caller: UInt) {
    guard runsHere else {
      let arrival = ClosureArrival(at: self, from: caller)
      arrival.call = consume call
      return take(arrival, from: caller)
    }
    runHere(from: caller, call)
  }

  /// Enqueues a call that cannot run at once. A cancelled hop also enqueues, so that the captures of the call
  /// are released at the destination.
  final func take(_ arrival: consuming Arrival, from caller: UInt) {
    if delivery == .observe { return observe(arrival, from: caller) }
    enqueued.add(1, ordering: .acquiringAndReleasing)
    if let address { return enqueue(arrival, on: address) }
    switch route {
    case .queue: break
    case .consumer(let arrivals): arrivals.yield(arrival)
    case .loop(let loop):
      let arrival = arrival
      loop.execute { arrival.arrive() }
    }
  }

  private func enqueue(_ arrival: consuming Arrival, on queue: UnsafeMutableRawPointer) {
    let context = Unmanaged.passRetained(arrival).toOpaque()
    let isSent = ms_queue_async(queue, context) { context in
      Unmanaged<Arrival>.fromOpaque(context!).takeRetainedValue().arrive()
    }
    precondition(isSent, "mainstay: a hop to a queue requires libdispatch, which is not loaded")
  }

  /// Stops the hop: no call begins after this returns. A call that has begun finishes.
  final func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  private var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Counts an enqueued call as begun; returns false if the hop was cancelled.
  final func begin() -> Bool {
    begun.add(1, ordering: .acquiringAndReleasing)
    return !isCancelled
  }

  /// Runs a call at once.
  final func runHere(from caller: UInt, _ call: HopCall) {
    guard let recorder = AffinityRecording.recorder else {
      if !isCancelled { _ = call {} }
      return
    }
    let id = HopID.next()
    _ = recorder.recordArrival(at: self, id: id, from: caller, ms_queue_stamp_here())
    if isCancelled || !call({ recorder.recordRun(of: self, id: id, since: 0) }) {
      recorder.recordDrop(of: self, id: id)
    }
  }

  private func observe(_ arrival: Arrival, from caller: UInt) {
    if isCancelled { return arrival.drop() }
    arrival.deliver {
      if !isHere { reportArrival(from: caller) }
      arrival.run()
    }
  }

  private func reportArrival(from caller: UInt) {
    func report() {
      _ = destination.bindOrReport({ "callback of \(name)" }, site, from: caller)
    }
    if let policy { policy.scoped(report) } else { report() }
  }
}

/// A call to the target, which runs `begin` first. Returns false if there is no target to call.
typealias HopCall = (_ begin: () -> Void) -> Bool

/// The generator of hop ids. Only calls that are recorded get an id.
enum HopID {
  private static let last = Atomic<UInt64>(0)
  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

/// Padding that puts the neighbouring fields in separate cache lines.
private struct Padding {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
}
