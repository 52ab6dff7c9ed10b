internal import Dispatch

extension DispatchQueue {
  /// The `dispatch_queue_t` that this object wraps.
  var address: UnsafeRawPointer {
    #if canImport(ObjectiveC)
      UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    #else
      wrapped(self)
    #endif
  }
}

#if !canImport(ObjectiveC)
  /// The C queue that a Swift queue wraps: the first stored property, after the object header.
  private func wrapped(_ queue: DispatchQueue) -> UnsafeRawPointer {
    let object = UnsafeRawPointer(Unmanaged.passUnretained(queue).toOpaque())
    return object.load(fromByteOffset: wrappedOffset, as: UnsafeRawPointer.self)
  }

  /// The offset of the C queue in a `DispatchQueue` object, verified with a queue whose C queue is known.
  private let wrappedOffset: Int = {
    let queue = DispatchQueue(label: "mainstay.wrapped")
    let known = queue.sync { UnsafeRawPointer(bitPattern: currentQueue())! }
    let object = UnsafeRawPointer(Unmanaged.passUnretained(queue).toOpaque())
    let offset = 2 * MemoryLayout<UnsafeRawPointer>.size
    precondition(
      object.load(fromByteOffset: offset, as: UnsafeRawPointer.self) == known,
      "mainstay: the C queue is not the first stored property of this DispatchQueue, so this version of Dispatch is not supported; please report the Swift version"
    )
    return offset
  }()

  @_silgen_name("dispatch_get_current_queue")
  private func currentQueue() -> UInt
#endif
