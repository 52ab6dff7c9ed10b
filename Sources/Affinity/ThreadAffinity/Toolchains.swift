// Features that older compilers lack; the module works without them.

/// The name of the task that runs here; nil if it has none, or the compiler knows of no names.
var currentTaskName: String? {
  #if compiler(>=6.2)
    Task<Never, Never>.name
  #else
    nil
  #endif
}

/// The type of an executor that is alive; nil if the compiler cannot look behind its reference.
func nameOfExecutor(_ executor: UnownedSerialExecutor) -> String? {
  #if compiler(>=6.3)
    executor.asSerialExecutor().map { String(describing: type(of: $0)) }
  #else
    nil
  #endif
}

extension Actor {
  /// The answer of the actor's executor about the calling code; nil if it can only trap.
  // Out of line it leaves its caller so small that the optimizer inlines that into every hop.
  @inline(__always)
  nonisolated var isIsolatingCurrentContext: Bool? {
    #if compiler(>=6.3)
      unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext()
    #else
      nil
    #endif
  }
}
