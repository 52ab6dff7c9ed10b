/// One event of a batch, decoded on demand. The event becomes invalid when the batch is reused.
package struct Event {
  /// The category of reports by Xcode's Thread Performance Checker.
  package static let performanceChecker = "Thread Performance Checker"

  private unowned(unsafe) let batch: EventBatch
  package let index: Int

  private var row: UnsafeMutablePointer<EventRow> {
    @inline(__always) get { batch.rows + index }
  }

  @inline(__always)
  init(batch: EventBatch, index: Int) {
    self.batch = batch
    self.index = index
  }

  /// The time of the monotonic clock, in nanoseconds.
  package var monotonic: UInt64 { row.pointee.monotonic }
  /// The wall-clock time in nanoseconds since 1970.
  package var wall: UInt64 { row.pointee.wall }
  /// The thread's ordinal.
  package var thread: Int { Int(row.pointee.thread) }
  /// The sequence number of the event within its thread, modulo 2^32.
  package var number: UInt32 { row.pointee.number }
  package var kind: CrumbKind { row.pointee.kind }
  package var level: CrumbLevel { row.pointee.level }
  package var marks: EventMarks { row.pointee.marks }
  /// The number of the event's queue in the input's queue table; 0 for none.
  package var queueNumber: UInt32 { row.pointee.queue }
  package var queue: Queue? { batch.queues[queueNumber] }
  package var hop: UInt64? { marks.contains(.hasHop) ? row.pointee.hop : nil }

  package var onMain: Crumb.OnMain {
    if marks.contains(.onMain) { return .yes }
    return marks.contains(.mainUnknown) ? .unknown : .no
  }

  /// True if the event is known to have happened off the main queue.
  package var isOffMain: Bool { marks.isDisjoint(with: [.onMain, .mainUnknown]) }

  package var categoryBytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: row.pointee.text, count: Int(row.pointee.categorySize))
  }

  package var messageBytes: UnsafeRawBufferPointer {
    slice(from: padded(Int(row.pointee.categorySize)), count: Int(row.pointee.messageSize))
  }

  package var dataBytes: UnsafeRawBufferPointer {
    let before = padded(Int(row.pointee.categorySize)) + padded(Int(row.pointee.messageSize))
    return slice(from: before, count: Int(row.pointee.dataSize))
  }

  package var category: String { String(decoding: categoryBytes, as: UTF8.self) }
  package var message: String { String(decoding: messageBytes, as: UTF8.self) }

  package var hasStack: Bool { row.pointee.frameCount > 0 }

  /// The recorded addresses of the event's stack, innermost first.
  package var addresses: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: row.pointee.frames, count: Int(row.pointee.frameCount) * 8)
  }

  /// The stack's frames, innermost first.
  package var frames: [FrameAddress] {
    let addresses = addresses
    return (0..<Int(row.pointee.frameCount)).map { place in
      let address = addresses.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self)
      let isInstruction = place == 0 && marks.contains(.firstIsInstruction)
      return isInstruction ? .instruction(address) : FrameAddress(word: address)
    }
  }

  /// The event's stack; nil if none was recorded.
  package var stack: Stack? {
    row.pointee.frames == nil ? nil : Stack(frames: frames, end: row.pointee.stackEnd)
  }

  /// The value under `key`, if the event carries one.
  package subscript(key: String) -> CrumbValue? {
    for (name, value) in EventData(bytes: dataBytes) where name.isEqual(to: key) {
      return value.decoded
    }
    return nil
  }

  /// The text under `key`; nil if the event has no such text.
  package func text(_ key: String) -> String? {
    if case .string(let text)? = self[key] { return text }
    return nil
  }

  /// The integer under `key`; nil if the event has no such integer.
  package func integer(_ key: String) -> Int64? {
    if case .integer(let number)? = self[key] { return number }
    return nil
  }

  /// All keys and values, in recorded order.
  package var data: [(key: String, value: CrumbValue)] {
    EventData(bytes: dataBytes).decoded
  }

  private func padded(_ size: Int) -> Int { (size + 7) & ~7 }

  private func slice(from: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: row.pointee.text.map { $0 + from }, count: count)
  }
}

extension UnsafeRawBufferPointer {
  /// True if these bytes are the UTF-8 of `text`. Inlinable, so that the size of a constant `text`
  /// is a constant too.
  @inlinable
  package func isEqual(to text: String) -> Bool {
    guard count == text.utf8.count else { return false }
    return text.utf8.withContiguousStorageIfAvailable { elementsEqual($0) }
      ?? elementsEqual(text.utf8)
  }
}
