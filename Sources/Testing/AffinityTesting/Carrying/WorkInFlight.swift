import Dispatch
import Synchronization

/// Counts unfinished sent work, as far as it is observed.
final class WorkInFlight: Sendable {
  /// The identifier of a piece of work.
  typealias WorkID = UInt64

  private struct State {
    var next: WorkID = 1
    /// Work that waits for its time, and that time.
    var later: [WorkID: UInt64] = [:]
    var running: Set<WorkID> = []
    /// Those of them that are parts of tasks.
    var jobs: Set<WorkID> = []
    var waiting: [DispatchSemaphore] = []

    mutating func tell() {
      for semaphore in waiting { semaphore.signal() }
      waiting = []
    }
  }

  private let state = Mutex(State())

  /// Work was sent, to begin after so many nanoseconds.
  func begin(after delay: UInt64, isJob: Bool) -> WorkID {
    state.withLock { state in
      defer { state.next += 1 }
      if isJob { state.jobs.insert(state.next) }
      if delay == 0 {
        state.running.insert(state.next)
      } else {
        state.later[state.next] = DispatchTime.now().uptimeNanoseconds.addingSaturated(delay)
      }
      return state.next
    }
  }

  /// Its time has come.
  func arrive(_ ticket: WorkID) {
    state.withLock { state in
      if state.later.removeValue(forKey: ticket) != nil { state.running.insert(ticket) }
    }
  }

  /// Work that is paused is not waited for.
  func pause(_ ticket: WorkID) { end(ticket) }

  /// It is let go.
  func resume(_ ticket: WorkID) { state.withLock { _ = $0.running.insert(ticket) } }

  func end(_ ticket: WorkID) {
    state.withLock { state in
      state.later[ticket] = nil
      state.jobs.remove(ticket)
      if state.running.remove(ticket) != nil, state.running.isEmpty { state.tell() }
    }
  }

  /// Whether a part of a task is on its way.
  var hasJobs: Bool { state.withLock { !$0.jobs.isDisjoint(with: $0.running) } }

  /// The time at which the next delayed work is to begin; nil if no work is delayed.
  var nextDue: DispatchTime? {
    state.withLock { $0.later.values.min().map { DispatchTime(uptimeNanoseconds: $0) } }
  }

  /// True if no work is in flight, nor due before `horizon`.
  func isSettled(until horizon: DispatchTime = .now()) -> Bool {
    state.withLock { state in
      state.running.isEmpty
        && !state.later.values.contains { $0 <= horizon.uptimeNanoseconds }
    }
  }

  /// Waits for all work in flight, including delayed work that is due within `horizon`. Returns false if that
  /// takes longer than `patience`.
  func settles(within patience: DispatchTimeInterval, due horizon: DispatchTimeInterval) -> Bool {
    settles(until: .now() + patience, due: horizon)
  }

  func settles(until deadline: DispatchTime, due horizon: DispatchTimeInterval) -> Bool {
    let last = DispatchTime.now() + horizon
    while !isSettled(until: last) {
      if DispatchTime.now() >= deadline { return false }
      let semaphore = DispatchSemaphore(value: 0)
      state.withLock { $0.waiting.append(semaphore) }
      // Delayed work signals nothing when it begins.
      _ = semaphore.wait(timeout: min(deadline, .now() + .milliseconds(5)))
    }
    return true
  }
}

extension UInt64 {
  fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
