import ThreadAffinity

internal import CRecorder

/// A violation, with the facts that only its own thread can read.
struct CaughtViolation: Sendable {
  /// How it is known which test it belongs to.
  enum Attribution: Sendable {
    /// The test sent the code that ran.
    case own
    /// The sender is unknown, and only this test could have sent the work.
    case only
    /// The sender is unknown, and other tests could have sent the work too.
    case shared(UnattributedViolation)
  }

  let violation: AffinityViolation
  let stack: [UInt]
  /// The origins of the code, newest first: a stack for each time that it was sent.
  let senders: [[UInt]]
  let attribution: Attribution

  /// Whether it is known which test it belongs to.
  var isOwn: Bool {
    if case .own = attribution { return true }
    return false
  }

  /// Catches a violation on the thread that committed it.
  @inline(never)
  init(_ violation: AffinityViolation, stack: [UInt], _ attribution: Attribution) {
    self.violation = violation
    self.stack = stack
    senders = SentWork.sendersHere
    self.attribution = attribution
  }

  /// The stack of a violation that is being reported to the caller.
  @inline(never)
  static func stack(of violation: AffinityViolation) -> [UInt] {
    // Without a recorder the stack has not been walked yet; it is still the current one.
    guard violation.frames.isEmpty else { return violation.frames }
    return [UInt](unsafeUninitializedCapacity: 64) { buffer, count in
      var end = MS_WALK_COMPLETE
      count = Int(ms_walk_here(buffer.baseAddress, UInt32(buffer.count), 0, &end))
    }
  }
}
