package import CRecorder
import Synchronization

/// The functions of a recorder that this module uses without importing the recorder.
///
/// A type rather than a value: calling one through its metatype counts no references. Every function
/// may be called on any thread and returns without waiting.
package protocol AffinityRecorder: Sendable {
  /// Writes the return addresses of this thread's stack into `buffer`, newest first, without the frames that
  /// are newer than `caller`. Returns their number.
  static func captureStack(
    from caller: UInt, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int

  /// Records a violation, whose stack was captured by `captureStack`.
  static func record(_ violation: AffinityViolation)

  /// Records a piece of UI work that took `nanoseconds` and has just ended here.
  static func recordUIWork(_ name: StaticString, site: CallSite, nanoseconds: UInt64)

  /// Records that a value bound to the main queue was read or written here.
  static func recordAccess(_ name: StaticString, site: CallSite, isWrite: Bool)

  /// Records that a call came in here, by the function that `caller` is in.
  ///
  /// - Returns: When that was by the recorder's own clock, never 0, and how to find its stack again.
  static func recordArrival(
    at hop: HopLabel, id: UInt64, from caller: UInt, _ here: ms_queue_stamp
  ) -> HopArrival

  /// Records that a call of a hop runs here and now, which came in at `arrival`; 0 if it did not
  /// wait.
  static func recordRun(of hop: HopLabel, id: UInt64, since arrival: UInt64)

  /// Records that a call of a hop will not run.
  static func recordDrop(of hop: HopLabel, id: UInt64)

  /// Puts the stack of an arrival into `buffer`, as `captureStack` does; 0 if it no longer exists.
  static func stack(
    of arrival: HopArrival, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int
}

/// The data by which a recorder identifies an arrival; the words of `stack` are a copy.
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
  /// Makes `recorder` the one that records, from now on; the first stays.
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
  // Written once, before `isInstalled` says so.
  nonisolated(unsafe) private static var published: (any AffinityRecorder.Type)?
}

/// This thread's stack from `caller` on, if a recorder can capture it.
func capturedStack(from caller: UInt) -> [UInt] {
  stack { recorder, buffer in recorder.captureStack(from: caller, into: buffer) }
}

/// The stack of an arrival, if it was recorded and is still there.
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
