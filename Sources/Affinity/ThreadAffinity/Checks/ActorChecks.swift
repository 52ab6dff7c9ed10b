internal import CRecorder

extension Actor {
  /// Checks that the code runs inside this actor; if not, the policy decides what happens.
  ///
  ///     func post(_ entry: Entry, to ledger: Ledger) {
  ///       ledger.expectIsolated("entries are posted by the ledger")
  ///     }
  ///
  /// Unlike `assertIsolated`, this check prints a message on Linux, and traps only if the policy demands it.
  ///
  /// - Returns: True if code isolated to the actor may run here.
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
  /// - Returns: True if code isolated to the actor may run here.
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

/// Checks that the code runs inside the actor of its static isolation; if not, the policy decides what
/// happens.
///
/// The check needs neither the actor's name nor `await`: `isolation` is that of the enclosing code. Static
/// and actual isolation differ if code written before strict concurrency calls an actor's closure on another
/// thread. Code that runs in no actor fails the check.
///
/// - Returns: True if the code runs inside its actor.
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

/// Requires that the code runs inside the actor of its static isolation; if not, prints why and ends the
/// process.
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

/// True if the calling code is isolated to `actor`.
///
/// - Parameter actor: The static isolation. It is nil for nonisolated code, and always on the right of `&&`;
///   the code may then be isolated to any actor.
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
  // The executor can only trap: report first, then let the executor decide.
  ViolationReporter.foretell(failure, message: message())
  actor?.preconditionIsolated()
}

extension CheckFailure {
  /// Describes a failed isolation check.
  ///
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
