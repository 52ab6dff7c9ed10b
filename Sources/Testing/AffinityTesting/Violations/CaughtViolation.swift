import ThreadAffinity

internal import CRecorder

/// A violation, with what its own thread could tell when it happened.
struct CaughtViolation: Sendable {
  /// How it is known which test it belongs to.
  enum Attribution: Sendable {
    /// The test sent the code that ran.
    case own
    /// Nobody knows who sent it, and only this test could have.
    case only
    /// Nobody knows who sent it, and others could have too.
    case shared(UnattributedViolation)
  }

  let violation: AffinityViolation
  let stack: [UInt]
  /// Where the code was sent from that ran, the newest first: a stack for each time that it was sent.
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
    // Without a recorder nobody has walked it yet; we still stand on it.
    guard violation.frames.isEmpty else { return violation.frames }
    return [UInt](unsafeUninitializedCapacity: 64) { buffer, count in
      var end = MS_WALK_COMPLETE
      count = Int(ms_walk_here(buffer.baseAddress, UInt32(buffer.count), 0, &end))
    }
  }
}
