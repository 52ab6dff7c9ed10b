/// The body of a test, which a child process runs from its own copy of the program.
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

  /// Returns the address of the body.
  ///
  /// - Parameter refusal: The error for a body with captures, which another process does not have.
  func place(orElse refusal: StormError) throws(StormError) -> CodeAddress {
    guard MemoryLayout<Self>.size == MemoryLayout<Words>.size else { throw .unknownBody }
    let words = withUnsafeBytes(of: self) { $0.load(as: Words.self) }
    guard words.captures == 0 else { throw refusal }
    guard let place = CodeAddress(ofAsync: words.function) else { throw .unknownBody }
    return place
  }

  /// Creates the body at a place; nil if this process has no function at the place.
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
      "the body closure was not found among the Swift functions of this program, so no child process can run "
      + "the closure; run the closure in this process")
}
