internal import CRecorder

/// Conversions between the executor references of Swift and those of the runtime's C interface.
///
/// Both are two words: the executor's identity, and its witness table with flags. The standard library has no public
/// conversion, so this is the only place that casts, and it casts only if the sizes agree.
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

  /// The type of the actor that an executor belongs to, or of the executor if that is not the actor itself.
  ///
  /// The executor must be alive, as the one that the calling task runs on is.
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
