import ThreadAffinity

internal import CRecorder

/// A violation with the facts that only its own thread can determine.
struct CaughtViolation: Sendable {
  /// The certainty with which a violation belongs to a test.
  enum Attribution: Sendable {
    /// The test sent the code that caused the violation.
    case own
    /// The sender is unknown, and only this test could have sent the work.
    case only
    /// The sender is unknown, and other tests could have sent the work too.
    case shared(UnattributedViolation)
  }

  let violation: AffinityViolation
  let stack: [UInt]
  /// The stacks of the senders of the code, newest first.
  let senders: [[UInt]]
  let attribution: Attribution

  /// True if the test that sent the code is known (`attribution` is `.own`).
  var isOwn: Bool {
    if case .own = attribution { return true }
    return false
  }

  /// Captures a violation on the thread that committed it.
  @inline(never)
  init(_ violation: AffinityViolation, stack: [UInt], _ attribution: Attribution) {
    self.violation = violation
    self.stack = stack
    senders = SentWork.sendersHere
    self.attribution = attribution
  }

  /// The stack of a violation that is being reported on the calling thread.
  @inline(never)
  static func stack(of violation: AffinityViolation) -> [UInt] {
    // Without a recorder, the stack has not been walked yet. The thread is still in the violation,
    // so its current stack is walked.
    guard violation.frames.isEmpty else { return violation.frames }
    return [UInt](unsafeUninitializedCapacity: 64) { buffer, count in
      var end = MS_WALK_COMPLETE
      count = Int(ms_walk_here(buffer.baseAddress, UInt32(buffer.count), 0, &end))
    }
  }
}
