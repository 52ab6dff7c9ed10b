internal import CRecorder
internal import Dispatch

/// Checks that the code runs on the main queue; if not, the policy decides what happens.
///
/// - Returns: True if main-queue work may run here.
/// - Complexity: If the check passes, O(1) without allocation; `message` is then not evaluated.
@_transparent
@discardableResult
public func expectMainQueue(
  _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function
) -> Bool {
  if MainQueue.isCurrent { return true }
  failMainQueue(message, CallSite(file: file, line: line, column: column, function: function))
  endOfFailedCheck()
  return false
}

/// Requires that the code runs on the main queue; if not, prints why and ends the process.
@_transparent
public func requireMainQueue(
  _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function
) {
  if MainQueue.isCurrent { return }
  refuseMainQueue(message, CallSite(file: file, line: line, column: column, function: function))
  endOfFailedCheck()
}

/// Runs `body` isolated to the main actor, if called on the main queue.
///
/// - Returns: The result of `body`; `nil` off the main queue, which is a violation but does not trap.
@inline(never)
public func assumingMainQueue<Result: Sendable>(
  _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function,
  _ body: @MainActor () throws -> Result
) rethrows -> Result? {
  if !MainQueue.isCurrent {
    let site = CallSite(file: file, line: line, column: column, function: function)
    ViolationReporter.report(.mainQueue(from: ms_caller()), message: message, site: site)
    return nil
  }
  return try MainActor.assumeIsolated(body, file: file, line: line)
}

@usableFromInline
@inline(never)
func failMainQueue(_ message: () -> String, _ site: CallSite) {
  ViolationReporter.report(.mainQueue(from: ms_caller()), message: message, site: site)
}

/// An empty function to call after a failed check. Otherwise the check would be a tail call, and the checking
/// function would be missing from the stack.
@usableFromInline
@inline(never)
@_optimize(none)
func endOfFailedCheck() {}

@usableFromInline
@inline(never)
func refuseMainQueue(_ message: () -> String, _ site: CallSite) {
  let failure = CheckFailure.mainQueue(from: ms_caller())
  if failure.isCertain { ViolationReporter.refuse(failure, message: message, site: site) }
  // This verdict may be wrong, but libdispatch's is exact: report first, then let libdispatch decide.
  ViolationReporter.foretell(failure, message: message())
  dispatchPrecondition(condition: .onQueue(MainQueue.queue))
}

extension CheckFailure {
  static func mainQueue(from caller: UInt) -> CheckFailure {
    CheckFailure(
      expected: "main queue", name: "main", policy: nil, isCertain: MainQueue.doubt == nil,
      caller: caller)
  }
}

/// Explanations of failed main-actor checks, which on Linux end the process without a message.
enum MainActorChecks {
  /// Installs the hook that explains failed main-actor checks.
  ///
  /// This function runs when a recorder is opened or a policy is set, not when the program is
  /// loaded: the stacks of a program that links this module without using it contain no frame of
  /// Mainstay.
  static func explain() {
    if ms_is_off() { return }
    if Environment.current.hasSoftIsolation { ms_walk_start() }
    _ = isExplained
  }

  private static let isExplained = ms_isolation_hear { executor, caller in
    let isSoft = Environment.current.hasSoftIsolation
    guard ms_executor_is_main(executor) else {
      // An executor of the program decides its own checks.
      guard isSoft, ms_executor_is_default(executor) else { return false }
      MainActorChecks.soften(
        CheckFailure(expected: "another actor", name: "isolation", caller: caller))
      return true
    }
    if MainQueue.isCurrent { return isSoft }
    var failure = CheckFailure.mainQueue(from: caller)
    failure.expected = "main actor"
    if isSoft {
      MainActorChecks.soften(failure)
    } else {
      ViolationReporter.foretell(failure, message: "a main actor isolation check failed")
    }
    return isSoft
  }

  /// Reports a failed check that does not end the process, once for each place.
  private static func soften(_ failure: CheckFailure) {
    guard ms_isolation_is_new_site(failure.caller) else { return }
    ViolationReporter.foretell(
      failure,
      message: """
        an isolation check failed: this is a data race, which ends the process without \
        MAINSTAY_ISOLATION=soft
        """)
  }
}
