internal import CRecorder

/// Conversions between the executor references of Swift and those of the runtime's C interface.
///
/// Both consist of two words: the executor's identity, and its witness table with flags. The standard library
/// has no public conversion. Only this type casts between them, and only if the sizes agree.
enum ExecutorReference {
  private static var hasTwoWords: Bool {
    MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<ms_executor>.size
      && MemoryLayout<UnownedSerialExecutor>.alignment == MemoryLayout<ms_executor>.alignment
  }

  /// The words of a reference; nil if a reference is not two words.
  @inline(__always)
  static func words(of executor: UnownedSerialExecutor) -> ms_executor? {
    hasTwoWords ? unsafeBitCast(executor, to: ms_executor.self) : nil
  }

  /// The name of the type of an executor's actor, or of the executor's own type if it is not an actor.
  ///
  /// The executor must be alive, which always holds for the executor of the calling task.
  static func typeName(of executor: ms_executor) -> String? {
    guard let identity = executor.identity, hasTwoWords else { return nil }
    // A default actor is its own executor, and has no witness table.
    if executor.implementation == 0 {
      let actor = Unmanaged<AnyObject>.fromOpaque(identity).takeUnretainedValue()
      return String(describing: type(of: actor))
    }
    return nameOfExecutor(unsafeBitCast(executor, to: UnownedSerialExecutor.self))
  }
}
