import Foundation
import Synchronization
import ThreadAffinity

internal import CRecorder

/// The registry of this process's sessions, which assigns each violation to a session.
enum SessionRegistry {
  private struct State {
    var sessions: [ViolationSession] = []
    /// The session of the current XCTest case. XCTest runs one case at a time, outside of tasks.
    var caseSession: ViolationSession?
    /// Unchecked tests that have sent work by operations that hide the sender, while there were
    /// sessions.
    var opaque: Set<TestName> = []
    var unattributed: [UnattributedViolation] = []
  }

  private static let state = Mutex(State())

  static var caseSession: ViolationSession? { state.withLock { $0.caseSession } }

  static func begin(_ session: ViolationSession, isCase: Bool = false) {
    SentWork.beginToSee()
    state.withLock { state in
      if state.sessions.isEmpty {
        ms_walk_start()
        ViolationPolicy.carrying = { work in
          let sender = Sender.here
          return { sender.run(work) }
        }
        LostTargets.watch = LostTargets(
          made: noteHop, called: noteCall, areReported: reportsLostTarget)
        ViolationPolicy.everywhere = [.record, .report(take).repeating(.always)]
      }
      state.sessions.append(session)
      if isCase { state.caseSession = session }
    }
  }

  static func end(_ session: ViolationSession) {
    session.end()
    state.withLock { state in
      state.sessions.removeAll { $0 === session }
      if state.caseSession === session { state.caseSession = nil }
      guard state.sessions.isEmpty else { return }
      state.opaque = []
      LostTargets.watch = nil
      ViolationPolicy.everywhere = nil
    }
  }

  @Sendable
  private static func noteHop(_ hop: any WeakHop) {
    if case .session(let session) = Sender.here { session.noteHop(hop) }
  }

  /// Notes that a hop called its target. A call without a known test counts for all sessions.
  @Sendable
  private static func noteCall() {
    if case .session(let session) = Sender.here { return session.noteCall() }
    for session in state.withLock({ $0.sessions }) { session.noteCall() }
  }

  @Sendable
  private static func reportsLostTarget(_ hop: any WeakHop) -> Bool {
    if case .session(let session) = Sender.here { return session.reportsLostTarget(of: hop) }
    return state.withLock { $0.sessions }.allSatisfy { $0.reportsLostTarget(of: hop) }
  }

  /// Notes a test that sends work by an operation that hides the sender.
  static func noteOpaque(_ sender: Sender) {
    guard case .unchecked(let test) = sender else { return }
    state.withLock { state in
      if !state.sessions.isEmpty { state.opaque.insert(test) }
    }
  }

  @Sendable
  private static func take(_ violation: AffinityViolation) {
    take(violation, stack: CaughtViolation.stack(of: violation), from: .here)
  }

  /// Passes a violation only to the session of the test that sent the work.
  static func take(_ violation: AffinityViolation, stack: [UInt], from sender: Sender) {
    switch sender {
    case .session(let session):
      let takers = session.chain.filter { $0.accepts(violation) }
      if let taker = takers.first(where: { !$0.isOver }) {
        taker.take(CaughtViolation(violation, stack: stack, .own))
      } else if let late = takers.first, late.isChecking, !late.allows(violation) {
        takeLate(CaughtViolation(violation, stack: stack, .own), of: session.test)
      }
    case .unchecked: break
    case .unknown: takeUnknown(violation, stack)
    }
  }

  private static func takeLate(_ violation: CaughtViolation, of test: TestName) {
    let text = "\(test) ended before this violation: the test must await the work that it sends"
    FileHandle.standardError.write(Data("mainstay: \(text)\n\(violation)\n".utf8))
    let sessions = state.withLock { $0.sessions.filter(\.isChecking) }
    keep(UnattributedViolation(violation, reason: text, near: sessions))
  }

  /// Handles a violation without a known sender. If only one test is running, the violation is
  /// attributed to that test; otherwise it is reported as unattributed.
  private static func takeUnknown(_ violation: AffinityViolation, _ stack: [UInt]) {
    let (sessions, opaque) = state.withLock { (innermost($0.sessions), $0.opaque) }
    if sessions.count == 1, opaque.isEmpty {
      sessions[0].chain.first { $0.accepts(violation) }?.take(
        CaughtViolation(violation, stack: stack, .only))
      return
    }
    if sessions.isEmpty || sessions.allSatisfy({ $0.allows(violation) }) { return }
    let unattributed = UnattributedViolation(violation, stack: stack, among: sessions, and: opaque)
    let storms = sessions.filter { $0.tasks != nil }
    // A storm plays the schedule again to determine whether the schedule caused the violation.
    for storm in storms {
      storm.take(CaughtViolation(violation, stack: stack, .shared(unattributed)))
    }
    if storms.isEmpty { keep(unattributed) }
  }

  /// Stores an unattributed violation for the first of its possible tests that ends.
  static func keep(_ violation: UnattributedViolation) {
    state.withLock { state in
      if !state.unattributed.contains(where: { $0 === violation }) {
        state.unattributed.append(violation)
      }
    }
  }

  /// The messages for the unattributed violations that `session` is the first to report.
  static func unattributed(for session: ViolationSession) -> [String] {
    state.withLock { state in
      let mine = state.unattributed.filter { $0.mayBe(of: session) }
      state.unattributed.removeAll { one in mine.contains { $0 === one } }
      return mine.filter { !session.allows($0.violation.violation) }.map { "\($0)" }
    }
  }

  /// Returns the sessions that contain no other session of the list.
  private static func innermost(_ sessions: [ViolationSession]) -> [ViolationSession] {
    sessions.filter { outer in
      !sessions.contains { inner in inner.chain.dropFirst().contains { $0 === outer } }
    }
  }
}

extension Sender {
  /// Runs work whose sender was not tracked, as part of the sender's session.
  fileprivate func run(_ work: () -> Void) {
    if case .session(let session) = self { session.scoped(work) } else { work() }
  }
}
