import CWalkPeers
import Runtime

/// One way to walk a stack, and how often it is called in a round.
struct Walker {
  let name: String
  let calls: UInt32
  private let kind: bench_walker?

  static let ours = Walker("ours", BENCH_WALK_OURS, calls: 20_000)
  static let again = Walker("ours, again", BENCH_WALK_OURS_AGAIN, calls: 20_000)
  static let framePointers = Walker("frame pointers", BENCH_WALK_FRAME_POINTERS, calls: 20_000)
  static let unwBacktrace = Walker("unw_backtrace", BENCH_WALK_UNW_BACKTRACE, calls: 5_000)
  static let backtrace = Walker("backtrace", BENCH_WALK_BACKTRACE, calls: 500)
  static let unwStep = Walker("unw_step", BENCH_WALK_UNW_STEP, calls: 100)
  static let swift = Walker("Backtrace.capture", nil, calls: 2)
  static let peers = [framePointers, unwBacktrace, backtrace, unwStep, swift]

  private init(_ name: String, _ kind: bench_walker?, calls: UInt32) {
    self.name = name
    self.kind = kind
    self.calls = calls
  }

  /// The processor time of one walk from here.
  func mean(capacity: Int) -> Double {
    if let kind { return bench_walk_mean(kind, UInt32(capacity), calls) }
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      for _ in 0..<calls { _ = try? Backtrace.capture(limit: capacity) }
    }
    return Double(elapsed.components.attoseconds) / 1e9 / Double(calls)
  }

  /// The processor time of one walk below 16 functions picked at random, without getting there.
  func random(framePointers: Bool, functions: UInt32) -> Double {
    guard let kind else { return .nan }
    let calls: UInt32 = 10_000
    return bench_walk_random(kind, framePointers, functions, calls)
      - bench_walk_random(BENCH_WALK_NONE, framePointers, functions, calls)
  }

  /// The elapsed time of the first walk on a new thread.
  func firstOnThread(capacity: Int) -> Double {
    kind.map { bench_walk_first_on_thread($0, UInt32(capacity)) } ?? .nan
  }

  /// Private bytes a thread keeps for having walked once; negative where that drowned in noise.
  func memory(threads: UInt32) -> Double {
    guard let kind else { return .nan }
    return bench_walk_memory(kind, threads) - bench_walk_memory(BENCH_WALK_NONE, threads)
  }
}
