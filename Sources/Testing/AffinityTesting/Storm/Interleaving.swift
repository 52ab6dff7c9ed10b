internal import CTestProcess

/// Two calls on two threads, of which the first is stopped somewhere inside while the other runs.
///
/// Threads that set out together seldom meet where it hurts, and on a busy machine hardly ever.
final class Interleaving: @unchecked Sendable {
  // For two threads: their shared state is atomic.
  private let calls: OpaquePointer

  init(stopping place: StoppingPlace) {
    calls =
      switch place {
      case .instruction(let number): ms_interleaving_create(number, 0, 0)
      case .ownInstruction(let number): ms_interleaving_create(StoppingPlace.limit, number, 0)
      case .time(let nanoseconds): ms_interleaving_create(0, 0, nanoseconds)
      }
  }

  deinit { ms_interleaving_destroy(calls) }

  /// How many instructions of the first call were counted, when both have ended.
  var counted: UInt32 { ms_interleaving_counted(calls) }

  /// How many of those were the program's own.
  var ownCounted: UInt32 { ms_interleaving_own_counted(calls) }

  /// Whether calls can be stopped here.
  static var isPossible: Bool { ms_can_interleave() }

  func first(_ call: () -> Void) {
    ms_interleaving_begin_first(calls)
    call()
    ms_interleaving_end_first(calls)
  }

  func second(_ call: () -> Void) {
    ms_interleaving_begin_second(calls)
    call()
    ms_interleaving_end_second(calls)
  }
}

/// A place inside a call where the call is stopped.
enum StoppingPlace {
  /// After so many instructions, exactly; each that is counted costs some microseconds.
  case instruction(UInt32)
  /// Before this one of the instructions that are the program's own, counted from 1.
  case ownInstruction(UInt32)
  /// After so many nanoseconds: for places that lie deep inside.
  case time(UInt32)

  /// As far as instructions are counted.
  static let limit: UInt32 = 8192
}

/// Chooses the instructions at which a call is stopped: one after the other, evenly over the whole call once
/// its length is known, and evenly over the program's own code in the call.
///
struct StoppingPlaces: Sendable {
  /// How many instructions, or how many of its own, and which of these places comes next.
  private struct Progress {
    var length: UInt32 = 0
    var next: UInt32

    /// Each bit halves the interval between the earlier places.
    mutating func place() -> UInt32 {
      next &+= 1
      return 1 + UInt32((UInt64(next.bitReversed) * UInt64(length)) >> 32)
    }
  }

  private var all: Progress
  private var own: Progress
  private var tries = 0

  /// - Parameter plays: How many plays there were before, in which others have chosen.
  init(after plays: UInt64 = 0) {
    all = Progress(next: UInt32(truncatingIfNeeded: plays))
    own = all
  }

  /// Nil if both calls simply set out together.
  mutating func next(_ random: inout SeededRandom) -> StoppingPlace? {
    tries += 1
    // The first call of all also runs one-time initialization of the process.
    guard all.length > 0, tries > 2 else { return .instruction(StoppingPlace.limit) }
    switch random.next() % 8 {
    case 0: return nil
    // Calls that last longer than instructions are counted.
    case 1: return .time(random.logarithmic(from: 8, to: 20))
    case 2, 3: return .instruction(all.place())
    default: return own.length > 0 ? .ownInstruction(own.place()) : .instruction(all.place())
    }
  }

  /// The call has ended, or could not be counted any further.
  mutating func learn(_ place: StoppingPlace, _ interleaving: Interleaving) {
    guard case .instruction(let number) = place, interleaving.counted > 0 else { return }
    if interleaving.counted < number || all.length == 0 {
      all.length = interleaving.counted
      own.length = interleaving.ownCounted
    }
  }
}

extension UInt32 {
  fileprivate var bitReversed: UInt32 {
    (0..<32).reduce(0) { $0 << 1 | (self >> UInt32($1) & 1) }
  }
}

extension SeededRandom {
  /// A number of so many bits, of each count of bits as often.
  fileprivate mutating func logarithmic(from: UInt64, to: UInt64) -> UInt32 {
    let magnitude = from + next() % (to - from)
    return UInt32((1 << magnitude) + next() % (1 << magnitude))
  }
}
