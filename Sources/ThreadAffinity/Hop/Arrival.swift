internal import CQueueState
internal import Dispatch

/// A call between its arrival and its run.
final class Arrival: Delivery {
  private let hop: HopCore
  private var call: HopCall?
  private let id: UInt64
  private let time: UInt64
  private let note: ms_queue_note

  init(at hop: HopCore, call: @escaping HopCall) {
    self.hop = hop
    self.call = call
    note = ms_queue_note_here()
    let isRecorded = AffinityRecording.recorder != nil
    id = isRecorded ? HopID.next() : 0
    time = isRecorded ? DispatchTime.now().uptimeNanoseconds : 0
  }

  /// Where the call arrived, and where the hop was made.
  override var origins: [Origin] {
    [Origin(.enqueued, site: hop.site, place: Place(note), hop: id), hop.registration]
  }

  /// Comes in from the queue.
  func arrive() {
    if hop.begin() {
      deliver { run() }
    } else {
      record(.drop)
    }
    // What the call holds is let go here, where it belongs, whoever else still holds the arrival.
    call = nil
  }

  func run() {
    guard let call else { return }
    if !call(recordRun) { record(.drop) }
  }

  private func recordRun() {
    guard id != 0 else { return }
    record(.run(nanoseconds: DispatchTime.now().uptimeNanoseconds - time))
  }

  func record(_ step: HopStep) {
    guard id != 0 else { return }
    AffinityRecording.recorder?.recordHop(step, id: id, name: hop.name, site: hop.site)
  }
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
