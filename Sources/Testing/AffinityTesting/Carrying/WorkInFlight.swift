import Dispatch
import Synchronization

/// Counts sent work that has not finished. Only tracked work is included.
final class WorkInFlight: Sendable {
  /// The identifier of a piece of work.
  typealias WorkID = UInt64

  private struct State {
    var next: WorkID = 1
    /// Delayed work, with the time at which it is due.
    var later: [WorkID: UInt64] = [:]
    var running: Set<WorkID> = []
    /// The ids in `running` that are jobs of tasks.
    var jobs: Set<WorkID> = []
    var waiting: [DispatchSemaphore] = []

    mutating func tell() {
      for semaphore in waiting { semaphore.signal() }
      waiting = []
    }
  }

  private let state = Mutex(State())

  /// Adds work that was sent to run after `delay` nanoseconds.
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

  /// Marks delayed work as running.
  func arrive(_ ticket: WorkID) {
    state.withLock { state in
      if state.later.removeValue(forKey: ticket) != nil { state.running.insert(ticket) }
    }
  }

  /// Removes held work from the counter.
  func pause(_ ticket: WorkID) { end(ticket) }

  /// Adds released work to the counter again.
  func resume(_ ticket: WorkID) { state.withLock { _ = $0.running.insert(ticket) } }

  func end(_ ticket: WorkID) {
    state.withLock { state in
      state.later[ticket] = nil
      state.jobs.remove(ticket)
      if state.running.remove(ticket) != nil, state.running.isEmpty { state.tell() }
    }
  }

  /// True if a job of a task is in flight.
  var hasJobs: Bool { state.withLock { !$0.jobs.isDisjoint(with: $0.running) } }

  /// The time at which the next delayed work is due; nil if no work is delayed.
  var nextDue: DispatchTime? {
    state.withLock { $0.later.values.min().map { DispatchTime(uptimeNanoseconds: $0) } }
  }

  /// True if no work is in flight and no delayed work is due before `horizon`.
  func isSettled(until horizon: DispatchTime = .now()) -> Bool {
    state.withLock { state in
      state.running.isEmpty
        && !state.later.values.contains { $0 <= horizon.uptimeNanoseconds }
    }
  }

  /// Waits for all work in flight, including delayed work that is due within `horizon`. Returns
  /// false if the wait exceeds `patience`.
  func settles(within patience: DispatchTimeInterval, due horizon: DispatchTimeInterval) -> Bool {
    settles(until: .now() + patience, due: horizon)
  }

  func settles(until deadline: DispatchTime, due horizon: DispatchTimeInterval) -> Bool {
    let last = DispatchTime.now() + horizon
    while !isSettled(until: last) {
      if DispatchTime.now() >= deadline { return false }
      let semaphore = DispatchSemaphore(value: 0)
      state.withLock { $0.waiting.append(semaphore) }
      // The start of delayed work signals no semaphore, so the loop polls.
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
