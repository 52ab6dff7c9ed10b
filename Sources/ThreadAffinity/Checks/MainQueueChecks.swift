internal import CQueueState
internal import Dispatch

/// Expects to run on the main queue; where that is not so, the policy decides what follows.
///
/// - Returns: Whether main-queue work may run here.
/// - Complexity: O(1) and without allocation where all is well; `message` is then not evaluated.
@inlinable
@discardableResult
public func expectMainQueue(
  _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function
) -> Bool {
  if MainQueue.isCurrent { return true }
  return failMainQueue(
    message, CallSite(file: file, line: line, column: column, function: function))
}

/// Requires to run on the main queue; where that is not so, says why and ends the process.
@inlinable
public func requireMainQueue(
  _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function
) {
  if MainQueue.isCurrent { return }
  refuseMainQueue(message, CallSite(file: file, line: line, column: column, function: function))
}

/// Runs `body` with the isolation of the main actor where that is true.
///
/// - Returns: What `body` returns; `nil` off the main queue, which is a violation and no trap.
public func assumingMainQueue<Result: Sendable>(
  _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function,
  _ body: @MainActor () throws -> Result
) rethrows -> Result? {
  guard
    expectMainQueue(message(), file: file, line: line, column: column, function: function)
  else { return nil }
  return try MainActor.assumeIsolated(body, file: file, line: line)
}

@usableFromInline
@inline(never)
func failMainQueue(_ message: () -> String, _ site: CallSite) -> Bool {
  Judge.report(.mainQueue, message: message, site: site)
  return false
}

@usableFromInline
@inline(never)
func refuseMainQueue(_ message: () -> String, _ site: CallSite) {
  if MainQueue.doubt == nil { Judge.refuse(.mainQueue, message: message, site: site) }
  // Our verdict may be wrong, libdispatch's is not: speak, then let it decide.
  Judge.foretell(.mainQueue, message: message())
  dispatchPrecondition(condition: .onQueue(MainQueue.queue))
}

extension Charge {
  static var mainQueue: Charge {
    Charge(
      expected: "main queue", name: "main", policy: nil, isCertain: MainQueue.doubt == nil)
  }
}

/// Says which check of the main actor is about to fail: on Linux the runtime's own dies silently.
@_cdecl("ms_main_isolation_checked")
func mainIsolationChecked() {
  if MainQueue.isCurrent { return }
  let charge = Charge(
    expected: "main actor", name: "main", policy: nil, isCertain: MainQueue.doubt == nil)
  Judge.foretell(charge, message: "a main actor isolation check fails and traps")
}
