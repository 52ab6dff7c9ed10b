internal import CRecorder
internal import Dispatch
import Synchronization

extension MainHop {
  /// Asks the target for a result, and waits at most `limit` for the answer.
  ///
  /// On the main queue the target answers at once, before pending calls: while this call waits, they
  /// cannot run. Elsewhere the caller waits. A late answer is withdrawn or, if it has begun, ignored.
  /// A wait that would deadlock with other such waits is refused at once. Both are violations.
  ///
  /// - Returns: The answer; `fallback` if the target is gone, the hop cancelled, or no answer came.
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
  /// Asks the target for a result, and waits at most `limit` for it, as `MainHop` does.
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
  /// The answer that `call` gives, where it does so in time.
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
      complain("\(name) would wait for itself", limit, from: caller)
      return nil
    }
    defer { WaitGraph.leave(wait) }
    send(answer.asked(call), from: caller)
    if answer.wait(limit) { return answer.value }
    complain("\(name) got no answer", limit, from: caller)
    return nil
  }

  private func complain(_ message: String, _ limit: Duration, from caller: UInt) {
    let failure = CheckFailure(
      expected: "an answer on \(destination.name) within \(limit)", name: destination.name,
      policy: policy, caller: caller)
    ViolationReporter.report(failure, message: { message }, site: site)
  }
}

/// An answer on its way from the target to the waiting caller.
final class Answer<Result>: @unchecked Sendable {
  private enum State: Int, AtomicRepresentable {
    case open, begun, withdrawn
  }

  // Written before `finished` is signalled, read after; never read where the wait ended early.
  var value: Result?
  private let state = Atomic<State>(.open)
  private let finished = DispatchSemaphore(value: 0)

  /// The call that gives the answer. When it is let go, run or dropped, the wait is over.
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

  /// Waits; whether there is an end to it in time. An answer that has not begun by then never will.
  func wait(_ limit: Duration) -> Bool {
    // Thirty years are for ever, and can be counted in nanoseconds.
    let (seconds, attoseconds) = min(limit, .seconds(1_000_000_000)).components
    let nanoseconds = max(0, seconds) * 1_000_000_000 + attoseconds / 1_000_000_000
    if finished.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success { return true }
    _ = state.compareExchange(
      expected: .open, desired: .withdrawn, ordering: .acquiringAndReleasing)
    return false
  }
}

/// Runs something at the end of its own life.
private final class End: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}
