/// A body of a test as it lies in memory, for a child of this process to run.
///
/// A child finds by its place what captures nothing. Swift gives such a function no name, so it is found by how
/// functions lie in memory, which is a part of the calling convention: what describes it, and what it captures. Each
/// body is stored by itself: what is generic would be given a thunk that captures it.
protocol ChildBody {}

/// The body of a storm of callbacks.
struct CallbackBody: ChildBody {
  let body: CallbackStorm.Body
}

/// The body of a storm of tasks.
struct TaskBody: ChildBody {
  let body: TaskStorm.Body
}

/// An asynchronous body without arguments.
struct AsyncBody: ChildBody {
  let body: @Sendable () async -> Void
}

extension ChildBody {
  private typealias Words = (function: UInt, captures: UInt)

  /// Where the body is.
  ///
  /// - Parameter refusal: What is thrown where it captures something, which no other process has.
  func place(orElse refusal: StormError) throws(StormError) -> CodeAddress {
    guard MemoryLayout<Self>.size == MemoryLayout<Words>.size else { throw .unknownBody }
    let words = withUnsafeBytes(of: self) { $0.load(as: Words.self) }
    guard words.captures == 0 else { throw refusal }
    guard let place = CodeAddress(ofAsync: words.function) else { throw .unknownBody }
    return place
  }

  /// The body at a place; nil if this program has none there.
  init?(at place: CodeAddress) {
    guard MemoryLayout<Self>.size == MemoryLayout<Words>.size, let address = place.address else {
      return nil
    }
    self = withUnsafePointer(to: Words(address, 0)) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Self.self).pointee
    }
  }
}

extension StormError {
  static let unknownBody = StormError(
    description:
      "the body is not found in this program as Swift's functions are known to lie there, so no child "
      + "process can run it; run it in this process")
}
