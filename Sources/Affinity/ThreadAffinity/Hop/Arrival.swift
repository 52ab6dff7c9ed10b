internal import CRecorder

// Handed from the sender to the destination, never shared.
/// A call between its arrival and its run.
class Arrival: Delivery, @unchecked Sendable {
  final let hop: HopCore
  private let id: UInt64
  private let arrival: HopArrival
  private let note: ms_queue_note
  /// The fallback for an arrival that did not run. Set once, before the arrival is taken in.
  final var fallback: HopFallback?

  /// Records where the arrival is created: in a function called by the function that contains `caller`.
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

  /// Makes the call, which says `begin` first; whether there was anyone to call.
  func perform() -> Bool { false }

  /// Lets go of the call and of all it holds.
  func letGo() {}

  /// The places where the call arrived and where the hop was created.
  override final var origins: [ViolationOrigin] {
    // An arrival that is delivered at once has the stack of its delivery.
    let frames = hop.delivery == .observe ? [] : recordedStack(of: arrival)
    return [
      ViolationOrigin(
        .enqueued, site: hop.site, place: ExecutionPlace(note), frames: frames, hop: id),
      hop.registration,
    ]
  }

  /// Comes in from the queue.
  final func arrive() { arrive(perform) }

  /// Comes in, and makes the call by `perform`, which says whether there was anyone to call.
  final func arrive(_ perform: () -> Bool) {
    if hop.begin() {
      deliver { run(perform) }
    } else {
      drop()
    }
    // Ends here, on the target queue, even if another owner still holds the arrival.
    end()
  }

  /// Ends without a run: the target no longer exists.
  final func giveUp() {
    _ = hop.begin()
    drop()
    end()
  }

  /// Like `giveUp`, and reports the lost target to a test.
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

  /// Says that the call runs now.
  final func begin() {
    guard id != 0 else { return }
    AffinityRecording.recorder?.recordRun(of: hop, id: id, since: arrival.time)
  }

  /// Says that the call will not run.
  final func drop() {
    guard id != 0 else { return }
    AffinityRecording.recorder?.recordDrop(of: hop, id: id)
  }
}

/// The arrival of a call to a target, at a `TargetHop`.
final class TargetArrival<Target>: Arrival, @unchecked Sendable {
  /// Set once, before the arrival is taken in.
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
  /// Set once, before the arrival is taken in.
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
