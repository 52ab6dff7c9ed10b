package import CRecorder
import Synchronization

/// The functions of a recorder that this module uses without importing the recorder.
///
/// Conforming types are used as metatypes, because calls through a metatype count no references. Every
/// function may be called on any thread and does not block.
package protocol AffinityRecorder: Sendable {
  /// Writes the return addresses of this thread's stack into `buffer`, newest first, without the frames newer
  /// than `caller`. Returns their number.
  static func captureStack(
    from caller: UInt, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int

  /// Records a violation, whose stack was captured by `captureStack`.
  static func record(_ violation: AffinityViolation)

  /// Records UI work that took `nanoseconds` and has just ended on this thread.
  static func recordUIWork(_ name: StaticString, site: CallSite, nanoseconds: UInt64)

  /// Records a read or write of a value that is bound to the main queue.
  static func recordAccess(_ name: StaticString, site: CallSite, isWrite: Bool)

  /// Records the arrival of a call that the function around `caller` made.
  ///
  /// - Returns: The time of the arrival by the recorder's clock, never 0, and a reference to its stack.
  static func recordArrival(
    at hop: HopLabel, id: UInt64, from caller: UInt, _ here: ms_queue_stamp
  ) -> HopArrival

  /// Records that a call of a hop runs now. `arrival` is the time at which the call arrived; 0 if the call
  /// did not wait.
  static func recordRun(of hop: HopLabel, id: UInt64, since arrival: UInt64)

  /// Records that a call of a hop will not run.
  static func recordDrop(of hop: HopLabel, id: UInt64)

  /// Writes the stack of an arrival into `buffer`, as `captureStack` does. Returns 0 if the stack no longer
  /// exists.
  static func stack(
    of arrival: HopArrival, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int
}

/// The time and the stack reference by which a recorder identifies an arrival.
package struct HopArrival: Sendable {
  package var time: UInt64
  package var stack: (UInt, UInt)

  package init(time: UInt64, stack: (UInt, UInt) = (0, 0)) {
    self.time = time
    self.stack = stack
  }
}

/// The interface of a recorder to this module.
package enum AffinityRecording {
  /// Installs `recorder`, unless a recorder is already installed.
  package static func install(_ recorder: any AffinityRecorder.Type) {
    installing.run {
      published = recorder
      isInstalled.store(true, ordering: .releasing)
    }
    MainActorChecks.explain()
  }

  /// The recorder, if there is one.
  @inline(__always)
  static var recorder: (any AffinityRecorder.Type)? {
    isInstalled.load(ordering: .acquiring) ? published : nil
  }

  private static let installing = Once()
  private static let isInstalled = Atomic<Bool>(false)
  // The installed recorder. Written once, before `isInstalled` is set.
  nonisolated(unsafe) private static var published: (any AffinityRecorder.Type)?
}

/// The stack of this thread from `caller` outward; empty if no recorder can capture it.
func capturedStack(from caller: UInt) -> [UInt] {
  stack { recorder, buffer in recorder.captureStack(from: caller, into: buffer) }
}

/// The stack of an arrival; empty if the stack was not recorded or no longer exists.
func recordedStack(of arrival: HopArrival) -> [UInt] {
  if arrival.stack.0 == 0 { return [] }
  return stack { recorder, buffer in recorder.stack(of: arrival, into: buffer) }
}

private func stack(
  _ fill: (any AffinityRecorder.Type, UnsafeMutableBufferPointer<UInt>) -> Int
) -> [UInt] {
  guard let recorder = AffinityRecording.recorder else { return [] }
  return [UInt](unsafeUninitializedCapacity: 64) { buffer, count in
    count = fill(recorder, buffer)
  }
}
