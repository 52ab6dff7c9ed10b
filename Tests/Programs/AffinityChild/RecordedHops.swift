import CRecorder
import Dispatch
import Glibc
import ThreadAffinity

/// A recorder that prints what it is told.
private enum PrintingRecorder: AffinityRecorder {
  static func captureStack(
    from caller: UInt, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int {
    buffer[0] = 0xabc
    return 1
  }

  static func record(_ violation: AffinityViolation) {
    print(
      "violation \(violation.message) stack \(violation.stack)",
      "sent from \(violation.origin?.stack ?? []) hop \(violation.origin?.hop ?? 0)")
  }

  static func recordUIWork(_ name: StaticString, site: CallSite, nanoseconds: UInt64) {
    print("work \(name) \(nanoseconds >= 1_000_000)")
  }

  static func recordAccess(_ name: StaticString, site: CallSite, isWrite: Bool) {
    print("access \(name) \(isWrite)")
  }

  static func recordArrival(
    at hop: HopLabel, id: UInt64, from caller: UInt, _ here: ms_queue_stamp
  ) -> HopArrival {
    print("arrival \(hop.name) \(id)")
    return HopArrival(time: now, stack: (1, UInt(id)))
  }

  static func recordRun(of hop: HopLabel, id: UInt64, since arrival: UInt64) {
    print("run \(hop.name) \(id) \(arrival == 0 || now > arrival)")
  }

  static func recordDrop(of hop: HopLabel, id: UInt64) { print("drop \(hop.name) \(id)") }

  static func stack(
    of arrival: HopArrival, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int {
    buffer[0] = 0xdef
    buffer[1] = arrival.stack.1
    return 2
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

private final class Target: Sendable {}

private struct Model {
  @MainQueueBound("count", recorded: true) var count = 0
}

/// Hops that run, are cancelled, and find nobody, in front of a recorder.
func recordHops() -> Never {
  AffinityRecording.install(PrintingRecorder.self)
  ViolationPolicy.default = .record
  let target = Target()
  let ran = MainHop(target, "ran")
  let cancelled = MainHop(target, "cancelled")
  let dead = MainHop(Target(), "dead")
  let off = DispatchQueue(label: "child.off")
  let sent = DispatchSemaphore(value: 0)
  off.async {
    ran.send { _ in Affinity.queue(off).expect("inside") }
    cancelled.send { _ in }
    dead.send { _ in }
    sent.signal()
  }
  sent.wait()
  cancelled.cancel()
  ran.send { _ in
    uiWork("layout") { _ = off.sync { sent.wait(timeout: .now() + .milliseconds(2)) } }
  }
  DispatchQueue.main.async {
    var model = Model()
    model.count = 1
    withExtendedLifetime(target) {}
    fflush(nil)
    exit(0)
  }
  dispatchMain()
}
