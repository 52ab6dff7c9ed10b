import Synchronization

/// What a recorder does for this module, which cannot see it.
///
/// A type rather than a value: calling one through its metatype counts no references. Every function
/// may be called on any thread and returns without waiting.
package protocol AffinityRecorder: SendableMetatype {
  /// Puts the return addresses of this thread's stack into `buffer`, newest first, leaving out what is
  /// newer than `caller`; their number.
  static func captureStack(
    from caller: UInt, into buffer: UnsafeMutableBufferPointer<UInt>
  ) -> Int

  /// Records a violation, whose stack was captured by `captureStack`.
  static func record(_ violation: Violation)

  /// Records a piece of UI work that took `nanoseconds` and has just ended here.
  static func recordUIWork(_ name: StaticString, site: CallSite, nanoseconds: UInt64)

  /// Records that a value bound to the main queue was read or written here.
  static func recordAccess(_ name: StaticString, site: CallSite, isWrite: Bool)

  /// The recorder's own clock, by which hops are timed; never 0.
  static func now() -> UInt64

  /// Records a step of a hop, here and now.
  static func recordHop(_ step: HopStep, id: UInt64, name: StaticString, site: CallSite)
}

/// A step of a hop; all steps of one hop share its id.
package enum HopStep: Sendable {
  /// The call came in; it was sent by the function that `caller` is in.
  case arrival(caller: UInt)
  /// The call runs, having come in when the recorder's clock showed `arrival`; 0 where it did not wait.
  case run(arrival: UInt64)
  /// The call will not run.
  case drop
}

/// Where a recorder plugs in.
package enum AffinityRecording {
  /// Makes `recorder` the one that records, from now on; the first stays.
  package static func install(_ recorder: any AffinityRecorder.Type) {
    installing.run {
      published = recorder
      isInstalled.store(true, ordering: .releasing)
    }
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
  guard let recorder = AffinityRecording.recorder else { return [] }
  return [UInt](unsafeUninitializedCapacity: 64) { buffer, count in
    count = recorder.captureStack(from: caller, into: buffer)
  }
}
