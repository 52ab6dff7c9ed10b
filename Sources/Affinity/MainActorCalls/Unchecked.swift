// Only this module uses the Swift 5 language mode, in which nonisolated code may call `@preconcurrency`
// functions of the main actor. The module offers functions instead of closure wrappers, because a wrapper
// would be allocated at each call.

/// Calls a function of the main actor without a check; the caller guarantees the thread.
package func callUnchecked<Argument, Result>(
  _ call: @MainActor (Argument) -> Result, _ argument: Argument
) -> Result {
  make(call, argument)
}

/// Calls a function of the main actor with any number of arguments and without a check.
package func callUnchecked<each Argument, Result>(
  _ call: @MainActor (repeat each Argument) -> Result, each argument: repeat each Argument
) -> Result {
  make(call, each: repeat each argument)
}

@preconcurrency @MainActor
private func make<Argument, Result>(
  _ call: @MainActor (Argument) -> Result, _ argument: Argument
) -> Result {
  call(argument)
}

@preconcurrency @MainActor
private func make<each Argument, Result>(
  _ call: @MainActor (repeat each Argument) -> Result, each argument: repeat each Argument
) -> Result {
  call(repeat each argument)
}
