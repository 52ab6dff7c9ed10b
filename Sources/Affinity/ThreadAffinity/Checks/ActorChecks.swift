internal import CRecorder

extension Actor {
  /// Checks that the code runs inside this actor; if not, the policy decides what happens.
  ///
  ///     func post(_ entry: Entry, to ledger: Ledger) {
  ///       ledger.expectIsolated("entries are posted by the ledger")
  ///     }
  ///
  /// `assertIsolated` would trap, and on Linux print nothing.
  ///
  /// - Returns: Whether code isolated to the actor may run here.
  /// - Complexity: If the check passes, O(1) without allocation; `message` is then not evaluated.
  @_transparent
  @discardableResult
  public nonisolated func expectIsolated(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) -> Bool {
    if isIsolated(to: self) { return true }
    failIsolation(
      to: self, message, CallSite(file: file, line: line, column: column, function: function))
    endOfFailedCheck()
    return false
  }

  /// Requires that the code runs inside this actor; if not, prints why and ends the process.
  @_transparent
  public nonisolated func requireIsolated(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    if isIsolated(to: self) { return }
    refuseIsolation(
      to: self, message, CallSite(file: file, line: line, column: column, function: function))
    endOfFailedCheck()
  }
}

extension GlobalActor {
  /// Checks that the code runs on this global actor; if not, the policy decides what happens.
  ///
  ///     MainActor.expectIsolated("rows change")
  ///
  /// - Returns: Whether code isolated to the actor may run here.
  @_transparent
  @discardableResult
  public static func expectIsolated(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) -> Bool {
    shared.expectIsolated(message(), file: file, line: line, column: column, function: function)
  }

  /// Requires that the code runs on this global actor; if not, prints why and ends the process.
  @_transparent
  public static func requireIsolated(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    shared.requireIsolated(message(), file: file, line: line, column: column, function: function)
  }
}

/// Checks that the code runs inside the actor that the compiler takes it to be isolated to; if not, the
/// policy decides what happens.
///
/// It needs no actor's name, and so no `await`: `isolation` is that of the code around. The two differ where
/// code of the time before strict concurrency calls a closure of an actor's from elsewhere. Code that runs in
/// no actor at all fails the check.
///
/// - Returns: Whether the code runs inside its actor.
@_transparent
@discardableResult
public func expectIsolation(
  _ message: @autoclosure () -> String = "", isolation: isolated (any Actor)? = #isolation,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function
) -> Bool {
  if isIsolated(to: isolation) { return true }
  failIsolation(
    to: isolation, message, CallSite(file: file, line: line, column: column, function: function))
  endOfFailedCheck()
  return false
}

/// Requires that the code runs inside the actor that the compiler takes it to be isolated to; if not,
/// prints why and ends the process.
@_transparent
public func requireIsolation(
  _ message: @autoclosure () -> String = "", isolation: isolated (any Actor)? = #isolation,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function
) {
  if isIsolated(to: isolation) { return }
  refuseIsolation(
    to: isolation, message, CallSite(file: file, line: line, column: column, function: function))
  endOfFailedCheck()
}

/// - Parameter actor: nil if the compiler knows of none, as it does on the right of `&&` too, whatever
///   is around it; any actor will do then.
@usableFromInline
func isIsolated(to actor: (any Actor)?) -> Bool {
  guard let actor else { return MainQueue.isCurrent || ms_executor_here().identity != nil }
  return actor.isolatesHere ?? false
}

@usableFromInline
@inline(never)
func failIsolation(to actor: (any Actor)?, _ message: () -> String, _ site: CallSite) {
  ViolationReporter.report(.isolation(to: actor, from: ms_caller()), message: message, site: site)
}

@usableFromInline
@inline(never)
func refuseIsolation(to actor: (any Actor)?, _ message: () -> String, _ site: CallSite) {
  let failure = CheckFailure.isolation(to: actor, from: ms_caller())
  if failure.isCertain { ViolationReporter.refuse(failure, message: message, site: site) }
  // The executor offers no answer but a trap: speak, then let it decide.
  ViolationReporter.foretell(failure, message: message())
  actor?.preconditionIsolated()
}

extension CheckFailure {
  /// - Parameter actor: The expected actor; nil for code that belongs to no actor.
  fileprivate static func isolation(to actor: (any Actor)?, from caller: UInt) -> CheckFailure {
    guard let actor else {
      return CheckFailure(
        expected: "an actor's isolation", name: "isolation", policy: nil, caller: caller)
    }
    let isCertain =
      actor is MainActor ? MainQueue.doubt == nil : actor.isolatesHere != nil
    let name = nameOfType(of: actor)
    return CheckFailure(
      expected: "actor \(name)", name: name, policy: nil, isCertain: isCertain,
      caller: caller)
  }
}
