internal import CRecorder

/// Holds the bytes of a `CrumbContext`.
final class ContextMemory: ManagedBuffer<Void, UInt8> {
  /// Memory for so many bytes, which `write` fills and says how many, of how many values.
  static func make(
    room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> (size: UInt32, count: UInt32)
  ) -> (memory: ContextMemory, encoded: ms_crumb_context) {
    let made = create(minimumCapacity: room) { _ in }
    let encoded = made.withUnsafeMutablePointerToElements { bytes in
      let (size, count) = write(bytes)
      return ms_crumb_context(bytes: bytes, size: size, count: count)
    }
    return (unsafeDowncast(made, to: ContextMemory.self), encoded)
  }
}
