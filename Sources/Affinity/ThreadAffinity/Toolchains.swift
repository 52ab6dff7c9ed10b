// Features that older compilers lack; the module works without them.

/// The name of the current task; nil if the task has none or the compiler does not support task names.
var currentTaskName: String? {
  #if compiler(>=6.2)
    Task<Never, Never>.name
  #else
    nil
  #endif
}

/// The type name of a live executor; nil if the compiler cannot resolve an executor reference.
func nameOfExecutor(_ executor: UnownedSerialExecutor) -> String? {
  #if compiler(>=6.3)
    executor.asSerialExecutor().map { String(describing: type(of: $0)) }
  #else
    nil
  #endif
}

extension Actor {
  /// The verdict of the actor's executor about the calling code; nil if the executor can only trap.
  // Always inlined: otherwise the caller is so small that the optimizer inlines the caller into every hop.
  @inline(__always)
  nonisolated var isIsolatingCurrentContext: Bool? {
    #if compiler(>=6.3)
      unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext()
    #else
      nil
    #endif
  }
}
