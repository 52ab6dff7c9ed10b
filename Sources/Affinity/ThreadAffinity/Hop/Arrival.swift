internal import CRecorder

// `@unchecked`: the sender passes an arrival to the destination, and the two never share it.
/// A call between its arrival and its run.
class Arrival: Delivery, @unchecked Sendable {
  final let hop: HopCore
  private let id: UInt64
  private let arrival: HopArrival
  private let note: ms_queue_note
  /// The fallback that runs if the arrival does not, set once before the arrival is enqueued.
  final var fallback: HopFallback?

  /// Creates an arrival at the current place, and records it. `caller` is an address in the function that
  /// sends the call.
  required init(at hop: HopCore, from caller: UInt) {
    self.hop = hop
    let here = ms_queue_stamp_here()
    note = ms_queue_note_of(here)
    if let recorder = AffinityRecording.recorder {
      id = HopID.next()
      arrival = recorder.recordArrival(at: hop, id: id, from: caller, here)
    } else {
      id = 0
      arrival = HopArrival(time: 0)
    }
  }

  /// Calls `begin` and then the target; returns false if there is no target to call.
  func perform() -> Bool { false }

  /// Releases the call and its captures.
  func letGo() {}

  /// The places where the call arrived and where the hop was created.
  override final var origins: [ViolationOrigin] {
    // A call that is delivered in place needs no stack of its own: the stack of the delivery contains the
    // same frames.
    let frames = hop.delivery == .observe ? [] : recordedStack(of: arrival)
    return [
      ViolationOrigin(
        .enqueued, site: hop.site, place: ExecutionPlace(note), frames: frames, hop: id),
      hop.registration,
    ]
  }

  /// Performs the arrival on the target queue.
  final func arrive() { arrive(perform) }

  /// Performs the arrival by `perform`, which returns false if there is no target to call.
  final func arrive(_ perform: () -> Bool) {
    if hop.begin() {
      deliver { run(perform) }
    } else {
      drop()
    }
    // Release the call here, on the target queue, even if another owner still holds the arrival.
    end()
  }

  /// Ends the arrival without a run, because the target no longer exists.
  final func giveUp() {
    _ = hop.begin()
    drop()
    end()
  }

  /// Ends the arrival like `giveUp`, and reports the lost target to the watching test.
  final func giveUp(for lost: any WeakHop, to type: Any.Type) {
    deliver { hop.reportLostTarget(of: type, from: lost) }
    giveUp()
  }

  private func end() {
    letGo()
    fallback?.happen()
    fallback = nil
  }

  final func run() { run(perform) }

  private func run(_ perform: () -> Bool) {
    if !perform() { drop() }
  }

  /// Records that the call runs now.
  final func begin() {
    guard id != 0 else { return }
    AffinityRecording.recorder?.recordRun(of: hop, id: id, since: arrival.time)
  }

  /// Records that the call will not run.
  final func drop() {
    guard id != 0 else { return }
    AffinityRecording.recorder?.recordDrop(of: hop, id: id)
  }
}

/// The arrival of a call to a target, at a `TargetHop`.
final class TargetArrival<Target>: Arrival, @unchecked Sendable {
  /// The call. Set once, before the arrival is enqueued.
  var call: TargetCall<Target>?

  override func perform() -> Bool {
    guard let call else { return false }
    self.call = nil
    return unsafeDowncast(hop, to: TargetHop<Target>.self).call(call) {
      fallback?.isAnswered()
      begin()
    }
  }

  override func letGo() { call = nil }
}

/// The arrival of a call without a target.
final class ClosureArrival: Arrival, @unchecked Sendable {
  /// The call. Set once, before the arrival is enqueued.
  var call: HopCall?

  override func perform() -> Bool {
    guard let call else { return false }
    self.call = nil
    return call(begin)
  }

  override func letGo() { call = nil }
}

extension ExecutionPlace {
  /// The recorded place; fields that were not recorded are empty.
  init(_ note: ms_queue_note) {
    let label = withUnsafeBytes(of: note.label) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(
      queueLabel: note.onQueue ? label : nil, queueSerial: note.serial, threadID: note.thread,
      threadName: "", taskID: nil, taskName: nil, isMainQueue: note.onMain)
  }
}
