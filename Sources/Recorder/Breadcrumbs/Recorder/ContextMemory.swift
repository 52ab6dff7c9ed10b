internal import CRecorder

/// The memory of a `CrumbContext`'s encoded values.
final class ContextMemory: ManagedBuffer<Void, UInt8> {
  /// Allocates `room` bytes. `write` fills them and returns the size and the number of values.
  static func make(
    room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> (size: UInt32, count: UInt32)
  ) -> (memory: ContextMemory, encoded: ms_crumb_context) {
    let made = create(minimumCapacity: room) { _ in }
    let encoded = made.withUnsafeMutablePointerToElements { bytes in
      let (size, count) = write(bytes)
      return ms_crumb_context_make(bytes, size, count)
    }
    return (unsafeDowncast(made, to: ContextMemory.self), encoded)
  }
}
