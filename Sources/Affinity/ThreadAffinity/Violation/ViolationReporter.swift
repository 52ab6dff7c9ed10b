internal import CRecorder
internal import Dispatch
import Synchronization

/// The facts of a failed check, beside its message.
struct CheckFailure {
  /// A description of the expected place.
  var expected: String
  /// The name by which `MAINSTAY_POLICY` refers to the affinity.
  let name: String
  /// The affinity's own policy.
  var policy: ViolationPolicy?
  /// True if the verdict is exact.
  var isCertain = true
  /// The place where the thread was bound, for a thread affinity.
  var boundAt: ViolationOrigin?
  /// True if the work was marked as UI work.
  var isUIWork = false
  /// True if the code did not run, so that the place of the violation is the caller's.
  var isOfCaller = false
  /// The call site of the check, where the stack begins; 0 if unknown.
  var caller: UInt = 0
}

/// Handles failed checks: counts them, looks up the policy, and applies its effects.
enum ViolationReporter {
  /// Reports a failed check according to its policy.
  @inline(never)
  static func report(_ failure: CheckFailure, message: () -> String, site: CallSite?) {
    judging {
      let occurrence = count(failure, at: site)
      if ViolationAllowList.hides(site, message: message) { return }
      let policy = ViolationPolicy.effective(for: failure.name, own: failure.policy)
      guard policy.actions.contains(.trap) || policy.frequency.speaks(at: occurrence),
        !policy.isSilent
      else { return }
      carryOut(policy, on: violation(failure, message(), site, occurrence))
    } otherwise: {
      writeLine(
        "mainstay: a check failed while this thread reported another violation: expected=\(failure.expected)"
      )
    }
  }

  /// Reports a failed check regardless of its policy, and ends the process.
  @inline(never)
  static func refuse(_ failure: CheckFailure, message: () -> String, site: CallSite) -> Never {
    var last = violation(failure, message(), site, count(failure, at: site))
    judging {
      let own = ViolationPolicy.effective(for: failure.name, own: failure.policy)
      carryOut(ViolationPolicy([.log, .record], reports: own.reports), on: last)
    } otherwise: {
      last = violation(failure, message(), site, 1)
    }
    trap(last)
  }

  /// Reports that a check of the Swift runtime is about to trap, regardless of the policy's actions.
  static func foretell(_ failure: CheckFailure, message: String) {
    if ms_is_off() { return }
    judging {
      let own = ViolationPolicy.effective(for: failure.name, own: failure.policy)
      carryOut(
        ViolationPolicy([.log, .record], reports: own.reports),
        on: violation(failure, message, nil, 1))
    } otherwise: {
    }
  }

  private static func carryOut(_ policy: ViolationPolicy, on violation: AffinityViolation) {
    if policy.actions.contains(.record) { AffinityRecording.recorder?.record(violation) }
    if policy.actions.contains(.log) { writeLine(violation.line) }
    for report in policy.reports { report(violation) }
    if policy.actions.contains(.trap) { trap(violation) }
  }

  private static func trap(_ violation: AffinityViolation) -> Never {
    guard let site = violation.site else { fatalError(violation.description) }
    fatalError(violation.description, file: site.file, line: site.line)
  }

  private static func violation(
    _ failure: CheckFailure, _ message: String, _ site: CallSite?, _ occurrence: Int
  ) -> AffinityViolation {
    var origins = Delivery.current?.origins ?? []
    if let boundAt = failure.boundAt { origins.append(boundAt) }
    let frames = capturedStack(from: failure.caller)
    return AffinityViolation(
      expected: failure.expected, message: message, site: site, place: .current,
      stack: StackWord.addresses(of: frames), frames: frames, origins: origins,
      occurrence: occurrence,
      isCertain: failure.isCertain, isUIWork: failure.isUIWork,
      isOfCaller: failure.isOfCaller)
  }

  /// Runs `body`. If this thread is already reporting a violation, runs `otherwise` instead, because a report
  /// may fail a check.
  private static func judging(_ body: () -> Void, otherwise: () -> Void) {
    let words = ms_thread_own()!
    if words.pointee.judging { return otherwise() }
    words.pointee.judging = true
    body()
    words.pointee.judging = false
  }

  // MARK: - Counting

  private struct Key: Hashable {
    let site: CallSite?
    let expected: String
  }

  private static let occurrences = Mutex<[Key: Int]>([:])

  private static func count(_ failure: CheckFailure, at site: CallSite?) -> Int {
    occurrences.withLock { occurrences in
      occurrences[Key(site: site, expected: failure.expected), default: 0] += 1
      return occurrences[Key(site: site, expected: failure.expected)]!
    }
  }
}
