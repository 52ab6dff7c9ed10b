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

  /// How calls get from here to there.
  enum Route {
    case queue(DispatchQueue)
    /// One consumer takes the arrivals in order: tasks of their own would overtake each other.
    case consumer(AsyncStream<Arrival>.Continuation)
    case loop(LoopHome)
  }

  private let route: Route
  // The destination in libdispatch, alive as long as `route`; `nil` where it is no queue.
  nonisolated(unsafe) final let address: UnsafeMutableRawPointer?

  // How many calls were enqueued and how many of them have begun. Apart, as senders write the one and
  // the destination the other: in one cache line each would wait for the other.
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

  /// Whether a call can be made where it arrives: an actor is entered by its consumer alone.
  private var isEnteredAtOnce: Bool {
    if case .consumer = route { false } else { true }
  }

  /// Whether the caller is where the calls belong.
  final var isHere: Bool {
    guard let address else { return destination.isCurrent }
    return ms_queue_on(address)
  }

  /// Whether a call has been enqueued that has not begun.
  final var isPending: Bool {
    enqueued.load(ordering: .acquiring) != begun.load(ordering: .acquiring)
  }

  /// Whether a call may run where it arrives, at once.
  final var runsHere: Bool {
    switch delivery {
    case .automatic:
      isEnteredAtOnce && isHere && !isPending
    case .inline: true
    case .always, .observe: false
    }
  }

  /// Whether calls from elsewhere are enqueued at all.
  final var enqueues: Bool { delivery == .automatic || delivery == .always }

  /// Takes a call in.
  final func send(_ call: __owned @escaping HopCall, from caller: UInt) {
    guard runsHere else {
      let arrival = ClosureArrival(at: self, from: caller)
      arrival.call = consume call
      return take(arrival, from: caller)
    }
    runHere(from: caller, call)
  }

  /// Enqueues a call that cannot run at once. A cancelled hop enqueues too, so that the captures of the call
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
    precondition(isSent, "a hop needs libdispatch")
  }

  /// Stops the hop: no call begins after this returns. A call that has begun finishes.
  final func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  private var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Whether a call that was enqueued may begin; from then on it is no longer pending.
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

/// A call: runs `begin` and then itself, and returns whether there was anyone to call.
typealias HopCall = (_ begin: () -> Void) -> Bool

/// The ids of hops, given only where a recorder uses them.
enum HopID {
  private static let last = Atomic<UInt64>(0)
  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

/// Keeps the fields on both sides in cache lines of their own.
private struct Padding {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
}
