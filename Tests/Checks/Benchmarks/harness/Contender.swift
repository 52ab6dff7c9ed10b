public import CPeers

/// One call of what is measured.
public protocol Call: Sendable {
  func callAsFunction(_ index: Int)
}

/// Something that is measured: many calls in a loop, or single calls each between two readings.
///
/// The loops are made here, for each kind of call, so that the compiler sees through them and a
/// contender of a few nanoseconds is not measured with the cost of an indirect call.
public struct Contender: Sendable {
  /// What the rows call it.
  public let name: String
  /// How many frames the stack is to have around each call; nil where that is of no interest.
  public let frames: Int?
  @usableFromInline let loop: @Sendable (_ thread: Int, _ calls: Int) -> Void
  @usableFromInline let singles:
    @Sendable (_ thread: Int, _ ticks: UnsafeMutableBufferPointer<UInt64>) -> Void

  /// Makes a contender of a call that is made anew for each thread.
  @inlinable
  public init<Body: Call>(
    _ name: String, frames: Int? = nil, call: @escaping @Sendable (_ thread: Int) -> Body
  ) {
    self.name = name
    self.frames = frames
    loop = { thread, calls in
      let call = call(thread)
      for index in 0..<calls {
        call(index)
        bench_fence()
      }
    }
    singles = { thread, ticks in
      let call = call(thread)
      for index in ticks.indices {
        let start = bench_ticks()
        call(index)
        ticks[index] = bench_ticks() &- start
      }
    }
  }
}

/// Nothing at all: what the two readings around a single call cost by themselves.
struct EmptyCall: Call {
  @inline(__always) func callAsFunction(_ index: Int) { bench_fence() }
}
