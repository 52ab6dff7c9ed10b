/// The rules of `crashscan audit`, which reads programs instead of recordings.
package enum AuditRules {
  package static let closure = RuleDescription(
    id: "isolated-closure", severity: .error,
    title: "An isolated closure is handed to code that calls it elsewhere",
    firesWhen: """
      crashscan audit finds a closure, or a function of an actor that is passed as one, with a check at its entry. \
      Error: the code that receives the closure is known to call it elsewhere. Warning: the receiver keeps the \
      closure, or is unknown. Note: the closure is called before the call returns, or on the main queue.
      """,
    cause: """
      A closure in code of the main actor inherits the actor unless it is @Sendable. If the function that takes the \
      closure was compiled without strict concurrency, the compiler cannot prove where the closure runs, and inserts \
      a check that ends the process.
      """,
    evidence: "The call that takes the closure, and the functions that pass it on.",
    fix: """
      Make the closure @Sendable and hop inside: Task { @MainActor in … }. Or let the API call back on the main queue.
      """,
    triggers: "legacy.load { shown = $0 }  // load calls its closure on a global queue",
    spares: "legacy.load { @Sendable prices in Task { @MainActor in shown = prices } }")

  package static let conformance = RuleDescription(
    id: "isolated-conformance", severity: .error,
    title: "An actor's type conforms to a protocol whose users may call it elsewhere",
    firesWhen: """
      crashscan audit finds a witness with a check at its entry: the type is isolated to an actor, and conforms to \
      the protocol with @preconcurrency. Error: the documented thread of the callback is not the main one. Warning: \
      the callers are unknown.
      """,
    cause: """
      The protocol has no isolation, so its users call the requirement on any thread. @preconcurrency replaces the \
      compiler's error by a check that ends the process.
      """,
    evidence: "The witness, the protocol and the type.",
    fix: "Declare the method nonisolated and hop inside, or isolate the protocol to the actor.",
    triggers: """
      @MainActor final class Model: @preconcurrency SessionDelegate {
        var isOpen = true
        func didEnd() { isOpen = false }
      }
      """,
    spares: """
      @MainActor final class Model: SessionDelegate {
        var isOpen = true
        nonisolated func didEnd() { Task { @MainActor in isOpen = false } }
      }
      """)

  package static let check = RuleDescription(
    id: "isolation-check", severity: .error,
    title: "A check of the isolation is in code that runs elsewhere",
    firesWhen: """
      crashscan audit finds assumeIsolated, preconditionIsolated, dispatchPrecondition or a check of Mainstay that \
      ends the process. Error: the code around it is handed to a function that is known to call elsewhere. Warning: \
      the code around it is kept, or its callers are unknown. Note: the code is not handed over.
      """,
    cause: "The check states an expectation that the callers of the code do not meet.",
    evidence: "The check, and the call that takes the code around it.",
    fix:
      "Replace the check by a hop, Task { @MainActor in … }, or let the API call back on the main queue.",
    triggers: "queue.async { MainActor.assumeIsolated { count += 1 } }",
    spares: "queue.async { Task { @MainActor in count += 1 } }")

  package static let all = [closure, conformance, check]
}
