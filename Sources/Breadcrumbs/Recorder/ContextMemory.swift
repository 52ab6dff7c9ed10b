internal import CBreadcrumbLog

/// Where the values of a `CrumbContext` stand: in the memory of the object itself, which C knows as an
/// `ms_crumb_context_object`.
final class ContextMemory: ManagedBuffer<ms_crumb_context, UInt8> {
  /// Memory for so many bytes, which `write` fills.
  @inline(__always)
  static func make(
    room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> ms_crumb_context
  ) -> ContextMemory {
    let made = create(minimumCapacity: max(room, 1)) { memory in
      memory.withUnsafeMutablePointerToElements(write)
    }
    return unsafeDowncast(made, to: ContextMemory.self)
  }
}
