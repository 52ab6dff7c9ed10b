/// A captured stack, innermost frame first.
package struct Stack: Hashable, Sendable {
  /// The reason why the walk ended.
  package enum End: UInt8, Sendable {
    /// The outermost frame was reached.
    case complete = 0
    /// The stack had more frames than the limit.
    case limit = 1
    /// A frame had no unwind information.
    case noRule = 2
    /// The next frame would have been outside the stack.
    case badStack = 3
    /// No unwinder was available.
    case unavailable = 4
    /// The context of the next async caller was invalid.
    case badCallers = 5
  }

  package var frames: [FrameAddress]
  package var end: End

  package init(frames: [FrameAddress], end: End) {
    self.frames = frames
    self.end = end
  }
}

/// The address of a frame: the type distinguishes the interrupted instruction from a return
/// address.
package enum FrameAddress: Hashable, Sendable {
  /// The interrupted instruction itself: the first frame of a walk from a signal.
  case instruction(UInt64)
  /// The address to which a call returns. The call instruction ends just before this address.
  case returnAddress(UInt64)
  /// The resume address of an async function that awaits the function of the preceding frame. An
  /// async caller has no frame on the thread's stack.
  case asyncCaller(UInt64)

  /// The bit that marks async callers in a recorded stack.
  private static let asyncMark: UInt64 = 1 << 63

  /// Decodes a word of a recorded stack. A first word that is an instruction must not be decoded by
  /// this initializer.
  package init(word: UInt64) {
    self =
      word & Self.asyncMark == 0 ? .returnAddress(word) : .asyncCaller(word & ~Self.asyncMark)
  }

  /// The encoding of the address in a recorded stack.
  package var word: UInt64 { isAsyncCaller ? recorded | Self.asyncMark : recorded }

  package var isAsyncCaller: Bool {
    if case .asyncCaller = self { true } else { false }
  }

  /// The address without its kind.
  package var recorded: UInt64 {
    switch self {
    case .instruction(let address), .returnAddress(let address), .asyncCaller(let address): address
    }
  }

  /// An address inside the instruction of the frame, for lookups.
  package var lookup: UInt64 {
    switch self {
    case .instruction(let address), .asyncCaller(let address): address
    case .returnAddress(let address): address == 0 ? 0 : address - 1
    }
  }
}
