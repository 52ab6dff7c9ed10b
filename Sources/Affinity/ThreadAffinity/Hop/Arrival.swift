internal import CRecorder

// Handed from the sender to the destination, never shared.
/// A call between its arrival and its run.
class Arrival: Delivery, @unchecked Sendable {
  final let hop: HopCore
  private let id: UInt64
  private let arrival: HopArrival
  private let note: ms_queue_note
  /// What happens where the call ends, if it did not run. Set once, before the arrival is taken in.
  final var fallback: HopFallback?

  /// Takes note of where it is made: in what was called by the function that `caller` is in.
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

  /// Where the call arrived, and where the hop was made.
  override final var origins: [ViolationOrigin] {
    // Where it is delivered as it arrives, its stack is that of whatever it leads to.
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
    // Here, where it belongs, whoever else still holds the arrival.
    end()
  }

  /// Ends without a run: there is nobody to come to.
  final func giveUp() {
    _ = hop.begin()
    drop()
    end()
  }

  /// As `giveUp`, where a test is to hear of it.
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
    return unsafeDowncast(hop, to: TargetHop<Target>.self).call(call, begin)
  }

  override func letGo() { call = nil }
}

/// The arrival of a call to nobody in particular.
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
