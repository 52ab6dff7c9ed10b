import Synchronization
import ThreadAffinity

internal import CStackWalk

/// The sessions of this process, and who gets what no scope says the owner of.
enum SessionRegistry {
  private struct State {
    var sessions: [ViolationSession] = []
    /// The session of the XCTest case that runs: XCTest runs one at a time, and outside of tasks.
    var caseSession: ViolationSession?
  }

  private static let state = Mutex(State())

  static var caseSession: ViolationSession? { state.withLock { $0.caseSession } }

  static func begin(_ session: ViolationSession, isCase: Bool = false) {
    state.withLock { state in
      if state.sessions.isEmpty {
        ms_walk_start()
        ViolationPolicy.everywhere = [.record, .report(takeUnscoped).repeating(.always)]
      }
      state.sessions.append(session)
      if isCase { state.caseSession = session }
    }
  }

  static func end(_ session: ViolationSession) {
    state.withLock { state in
      state.sessions.removeAll { $0 === session }
      if state.caseSession === session { state.caseSession = nil }
      if state.sessions.isEmpty { ViolationPolicy.everywhere = nil }
    }
  }

  @Sendable
  private static func takeUnscoped(_ violation: AffinityViolation) {
    takeUnscoped(violation, stack: CaughtViolation.stack(of: violation))
  }

  /// Gives a violation to whoever waits for it, or else to every test that is being checked.
  static func takeUnscoped(_ violation: AffinityViolation, stack: [UInt]) {
    let sessions = state.withLock { $0.sessions }
    let waiting = sessions.filter { !$0.isChecking && $0.accepts(violation) }
    let takers = waiting.isEmpty ? innermost(sessions.filter(\.isChecking)) : waiting
    for taker in takers {
      taker.take(
        CaughtViolation(
          violation, stack: stack, takers.count == 1 ? .only : .shared(takers.count)))
    }
  }

  /// The sessions that no other one of them is inside of.
  private static func innermost(_ sessions: [ViolationSession]) -> [ViolationSession] {
    sessions.filter { outer in
      !sessions.contains { inner in
        sequence(first: inner, next: \.parent).dropFirst().contains { $0 === outer }
      }
    }
  }
}
