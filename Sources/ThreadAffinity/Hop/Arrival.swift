internal import CQueueState

// Handed from the sender to the destination, never shared.
/// A call between its arrival and its run.
class Arrival: Delivery, @unchecked Sendable {
  private let hop: HopCore
  private let id: UInt64
  private let time: UInt64
  private let note: ms_queue_note
  /// Where it was sent from, where a recorder wants to know.
  final let caller: UInt

  init(at hop: HopCore, from caller: UInt) {
    self.hop = hop
    self.caller = caller
    note = ms_queue_note_here()
    let recorder = AffinityRecording.recorder
    id = recorder == nil ? 0 : HopID.next()
    time = recorder?.now() ?? 0
  }

  /// Runs `begin` and then the call; whether there was anyone to call.
  func perform(_ begin: () -> Void) -> Bool { false }

  /// Lets go of the call and of all it holds.
  func letGo() {}

  /// Where the call arrived, and where the hop was made.
  override final var origins: [Origin] {
    [Origin(.enqueued, site: hop.site, place: Place(note), hop: id), hop.registration]
  }

  /// Comes in from the queue.
  final func arrive() {
    if hop.begin() {
      deliver { run() }
    } else {
      record(.drop)
    }
    // Here, where it belongs, whoever else still holds the arrival.
    letGo()
  }

  final func recordArrival() { record(.arrival(caller: caller)) }

  final func run() {
    if !perform(recordRun) { record(.drop) }
  }

  private func recordRun() {
    record(.run(arrival: time))
  }

  final func record(_ step: HopStep) {
    guard id != 0 else { return }
    AffinityRecording.recorder?.recordHop(step, id: id, name: hop.name, site: hop.site)
  }
}

/// The arrival of a call to a target.
final class TargetArrival<Target>: Arrival, @unchecked Sendable {
  // Held as the arrival's hop.
  private unowned(unsafe) let targetHop: TargetHop<Target>
  private var call: ((Target) -> Void)?

  init(
    at hop: TargetHop<Target>, from caller: UInt, _ call: consuming @escaping (Target) -> Void
  ) {
    targetHop = hop
    self.call = call
    super.init(at: hop, from: caller)
  }

  override func perform(_ begin: () -> Void) -> Bool {
    guard let call else { return false }
    return targetHop.call(call, begin)
  }

  override func letGo() { call = nil }
}

/// The arrival of a call to a target on the main actor.
final class MainArrival<Target>: Arrival, @unchecked Sendable {
  // Held as the arrival's hop.
  private unowned(unsafe) let targetHop: TargetHop<Target>
  private var call: (@MainActor (Target) -> Void)?

  init(
    at hop: TargetHop<Target>, from caller: UInt,
    _ call: consuming @escaping @MainActor (Target) -> Void
  ) {
    targetHop = hop
    self.call = call
    super.init(at: hop, from: caller)
  }

  override func perform(_ begin: () -> Void) -> Bool {
    guard let call else { return false }
    return targetHop.call(unsafeBitCast(call, to: ((Target) -> Void).self), begin)
  }

  override func letGo() { call = nil }
}

/// The arrival of a call to nobody in particular.
final class ClosureArrival: Arrival, @unchecked Sendable {
  private var call: HopCall?

  init(at hop: HopCore, from caller: UInt, _ call: consuming @escaping HopCall) {
    self.call = call
    super.init(at: hop, from: caller)
  }

  override func perform(_ begin: () -> Void) -> Bool { call?(begin) ?? false }

  override func letGo() { call = nil }
}

extension Place {
  /// The place that was noted, with what is not noted left empty.
  init(_ note: ms_queue_note) {
    let label = withUnsafeBytes(of: note.label) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(
      queueLabel: note.onQueue ? label : nil, queueSerial: note.serial, threadID: note.thread,
      threadName: "", taskID: nil, taskName: nil, isMainQueue: note.onMain)
  }
}
