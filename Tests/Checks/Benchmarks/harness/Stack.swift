import CPeers

/// Runs `body` on a stack of about `frames` frames, as libunwind counts them.
func withStack(of frames: Int?, _ body: () -> Void) {
  guard let frames else { return body() }
  let here = frameCount()
  descend(max(0, frames - here - framesBelow), body)
}

/// The contender's loop, and the closure that calls it.
private let framesBelow = 2

@inline(never)
private func frameCount() -> Int {
  withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 128) { found in
    Int(bench_unw_backtrace(found.baseAddress, 128))
  }
}

@inline(never)
private func descend(_ frames: Int, _ body: () -> Void) {
  if frames == 0 { body() } else { descend(frames - 1, body) }
  bench_fence()  // so that the call above is no tail call
}
