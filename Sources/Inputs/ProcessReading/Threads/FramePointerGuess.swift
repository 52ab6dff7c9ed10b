/// Guesses the frame pointer of a thread with a known stack pointer.
///
/// A function with a frame pointer saves its caller's frame pointer next to the return address. The
/// guess is the first pair above the stack pointer whose frame pointer addresses another pair.
struct FramePointerGuess {
  private static let mostWords = 512
  private let memory: any MemoryImage

  init(_ memory: any MemoryImage) { self.memory = memory }

  func framePointer(above stackPointer: UInt64) -> UInt64? {
    guard stackPointer % 8 == 0, let stack = memory.region(at: stackPointer) else { return nil }
    return (0..<UInt64(Self.mostWords)).lazy.map { stackPointer + $0 * 8 }.first { frame in
      next(frame, stack).flatMap { next($0, stack) } != nil
    }
  }

  /// The caller's frame pointer; nil if `frame` does not look like a frame.
  private func next(_ frame: UInt64, _ stack: MemoryRegion) -> UInt64? {
    guard frame % 8 == 0, stack.range.contains(frame),
      let saved = memory.load(UInt64.self, at: frame),
      let address = memory.load(UInt64.self, at: frame + 8),
      memory.region(at: address)?.isExecutable == true
    else { return nil }
    // Bit 60 marks the frame of an async function.
    let caller = saved & ~(1 << 60)
    return caller > frame && stack.range.contains(caller) ? caller : nil
  }
}
