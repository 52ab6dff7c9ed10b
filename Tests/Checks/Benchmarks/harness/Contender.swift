public import CPeers

/// One call of the measured code.
public protocol Call: Sendable {
  func callAsFunction(_ index: Int)
}

/// Measured code: many calls in a loop, or single calls between two readings of the clock.
///
/// `init` is generic and creates the loops, so that the compiler specializes them and calls of a few nanoseconds are
/// measured without the cost of an indirect call.
public struct Contender: Sendable {
  /// The name in the rows.
  public let name: String
  /// The number of frames of the stack during each call; nil if it does not matter.
  public let frames: Int?
  /// Runs the loops in the context that the calls need; by default, directly.
  @usableFromInline let place: Place
  @usableFromInline let loop: @Sendable (_ thread: Int, _ calls: Int) -> Void
  @usableFromInline let singles:
    @Sendable (_ thread: Int, _ ticks: UnsafeMutableBufferPointer<UInt64>) -> Void

  /// A function that runs its argument on the same thread before it returns.
  public typealias Place = @Sendable (() -> Void) -> Void

  /// Creates a contender. `call` creates the call for each thread.
  @inlinable
  public init<Body: Call>(
    _ name: String, frames: Int? = nil, place: @escaping Place = { $0() },
    call: @escaping @Sendable (_ thread: Int) -> Body
  ) {
    self.name = name
    self.frames = frames
    self.place = place
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

/// An empty call, to measure the cost of the two readings.
struct EmptyCall: Call {
  @inline(__always) func callAsFunction(_ index: Int) { bench_fence() }
}
