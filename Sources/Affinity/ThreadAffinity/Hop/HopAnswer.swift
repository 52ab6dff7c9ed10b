internal import CRecorder
internal import Dispatch
import Synchronization

extension MainHop {
  /// Asks the target for a result, and waits at most `limit` for the answer.
  ///
  /// On the main queue the target answers at once, before pending calls, which cannot run while this call
  /// waits. Elsewhere the calling thread blocks. At the limit, an answer that has not begun is withdrawn, and
  /// an answer that has begun is ignored. A wait that would deadlock with other such waits fails at once. A
  /// timeout and a deadlock are violations.
  ///
  /// - Returns: The answer; `fallback` if the target is gone, the hop was cancelled, or no answer came.
  @inline(never)
  public func ask<Result>(
    within limit: Duration, orElse fallback: @autoclosure () -> Result,
    _ call: @escaping @MainActor (Target) -> Result
  ) -> Result {
    core.ask(within: limit, from: ms_caller()) { [core] answer, begin in
      core.call(.onMain { answer.value = call($0) }, begin)
    } ?? fallback()
  }
}

extension QueueHop {
  /// Asks the target for a result, and waits at most `limit` for the answer, as with `MainHop`.
  @inline(never)
  public func ask<Result>(
    within limit: Duration, orElse fallback: @autoclosure () -> Result,
    _ call: @escaping @Sendable (Target) -> Result
  ) -> Result {
    core.ask(within: limit, from: ms_caller()) { [core] answer, begin in
      core.call(.anywhere { answer.value = call($0) }, begin)
    } ?? fallback()
  }
}

extension HopCore {
  /// Returns the result of `call`; nil if no result arrives in time.
  func ask<Result>(
    within limit: Duration, from caller: UInt,
    _ call: @escaping (Answer<Result>, _ begin: () -> Void) -> Bool
  ) -> Result? {
    let answer = Answer<Result>()
    if isHere {
      runHere(from: caller) { begin in call(answer, begin) }
      return answer.value
    }
    if !enqueues {
      send({ begin in call(answer, begin) }, from: caller)
      return answer.value
    }
    guard let address, let wait = WaitGraph.enter(for: address) else {
      complain("a wait for “\(name)” would deadlock", limit, from: caller)
      return nil
    }
    defer { WaitGraph.leave(wait) }
    send(answer.asked(call), from: caller)
    if answer.wait(limit) { return answer.value }
    complain("“\(name)” returned no result in time", limit, from: caller)
    return nil
  }

  private func complain(_ message: String, _ limit: Duration, from caller: UInt) {
    var failure = CheckFailure(
      expected: "an answer on \(destination.name) within \(limit)", name: destination.name,
      policy: policy, caller: caller)
    failure.isOfCaller = true
    ViolationReporter.report(failure, message: { message }, site: site)
  }
}

/// An answer in transit from the target to the waiting caller.
final class Answer<Result>: @unchecked Sendable {
  private enum State: Int, AtomicRepresentable {
    case open, begun, withdrawn
  }

  // The result of the call. Written before `finished` is signalled, and read afterwards unless the
  // wait timed out.
  var value: Result?
  private let state = Atomic<State>(.open)
  private let finished = DispatchSemaphore(value: 0)

  /// Returns the call that produces the answer. The wait ends when that call is released, run or not.
  func asked(_ call: @escaping (Answer, _ begin: () -> Void) -> Bool) -> HopCall {
    let end = End { [finished] in finished.signal() }
    return { [self] begin in
      withExtendedLifetime(end) {
        let (isAwaited, _) = state.compareExchange(
          expected: .open, desired: .begun, ordering: .acquiringAndReleasing)
        return isAwaited && call(self, begin)
      }
    }
  }

  /// Waits for the end of the call; returns false at `limit`. An answer that has not begun by then never
  /// begins.
  func wait(_ limit: Duration) -> Bool {
    // A cap of about 30 years keeps the number of nanoseconds in the range of `Int`.
    let (seconds, attoseconds) = min(limit, .seconds(1_000_000_000)).components
    let nanoseconds = max(0, seconds) * 1_000_000_000 + attoseconds / 1_000_000_000
    if finished.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success { return true }
    _ = state.compareExchange(
      expected: .open, desired: .withdrawn, ordering: .acquiringAndReleasing)
    return false
  }
}

/// Runs `body` when deallocated.
private final class End: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}
