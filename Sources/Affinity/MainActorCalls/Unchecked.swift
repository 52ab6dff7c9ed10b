// The only module in Swift 5's language mode: there, code that the compiler does not check for isolation may call what is
// `@preconcurrency`.

/// A function of the main actor's as one of nobody's. Whoever calls it answers for where it runs: nothing is checked.
package func unchecked<each Argument, Result>(
  _ call: __owned @escaping @MainActor (repeat each Argument) -> Result
) -> (repeat each Argument) -> Result {
  { (argument: repeat each Argument) in make(call, repeat each argument) }
}

@preconcurrency @MainActor
private func make<each Argument, Result>(
  _ call: @MainActor (repeat each Argument) -> Result, _ argument: repeat each Argument
) -> Result {
  call(repeat each argument)
}
