/// Where a frame points: the type says whether the address is the instruction itself or the one after a call.
package enum FrameAddress: Hashable, Sendable {
  /// The interrupted instruction itself: the first frame of a walk from a signal.
  case instruction(UInt64)
  /// The address that a call returns to; the call lies just before it.
  case returnAddress(UInt64)

  /// The address as it was recorded.
  package var recorded: UInt64 {
    switch self {
    case .instruction(let address), .returnAddress(let address): address
    }
  }

  /// An address inside the instruction that was running: what a look-up must use.
  package var lookup: UInt64 {
    switch self {
    case .instruction(let address): address
    case .returnAddress(let address): address == 0 ? 0 : address - 1
    }
  }
}
