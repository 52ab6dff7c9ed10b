internal import CBreadcrumbLog

/// Where the values of a `CrumbContext` stand: in the memory of the object itself, which C knows as an
/// `ms_crumb_context_object`. Before them is room for what the crumb of an end has of its own, and behind them zeros up to a
/// whole word.
final class ContextMemory: ManagedBuffer<ms_crumb_context, UInt64> {
  private static let before = (Int(MS_DATA_ANSWER) + 7) / 8
  private static let behind = 1

  /// As the header has them; to read a property of an object asks whether anybody writes it.
  var values: ms_crumb_context { withUnsafeMutablePointerToHeader { $0.pointee } }

  /// Memory for so many bytes, which `write` fills and says how many, of how many values.
  @inline(__always)
  static func make(
    room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> (size: UInt32, count: UInt32)
  ) -> ContextMemory {
    make(words: before + (room + 7) / 8 + behind) { start in
      let bytes = UnsafeMutableRawPointer(start + before).assumingMemoryBound(to: UInt8.self)
      let (size, count) = write(bytes)
      UnsafeMutableRawPointer(bytes + Int(size)).storeBytes(of: 0, as: UInt64.self)
      return ms_crumb_context(bytes: bytes, size: size, count: count)
    }
  }

  /// The same values with other bytes in the place of the last sixteen.
  @inline(__always)
  func copy(endingIn last: (UInt64, UInt64)) -> ContextMemory {
    let values = values
    let room = (Int(values.size) + 7) / 8
    return Self.make(words: Self.before + room + Self.behind) { start in
      let bytes = UnsafeMutableRawPointer(start + Self.before)
      bytes.copyMemory(from: values.bytes, byteCount: 8 * room)
      let end = bytes + Int(values.size) - MemoryLayout.size(ofValue: last)
      end.storeBytes(of: last.0, as: UInt64.self)
      end.storeBytes(of: last.1, toByteOffset: 8, as: UInt64.self)
      return ms_crumb_context(
        bytes: bytes.assumingMemoryBound(to: UInt8.self), size: values.size, count: values.count)
    }
  }

  @inline(__always)
  private static func make(
    words: Int, _ write: (UnsafeMutablePointer<UInt64>) -> ms_crumb_context
  ) -> ContextMemory {
    let made = create(minimumCapacity: words) { memory in
      memory.withUnsafeMutablePointerToElements(write)
    }
    return unsafeDowncast(made, to: ContextMemory.self)
  }
}
