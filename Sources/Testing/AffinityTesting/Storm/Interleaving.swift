internal import CTestProcess

/// Two calls on two threads. The first call is stopped at a place inside it while the second call
/// runs.
///
/// Threads that merely start together rarely overlap at the critical place, least of all on a busy
/// machine.
final class Interleaving: @unchecked Sendable {
  // Unchecked because both threads use it; the shared state in C is atomic.
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

  /// The number of instructions counted in the first call, valid after both calls have ended.
  var counted: UInt32 { ms_interleaving_counted(calls) }

  /// The number of counted instructions that were the program's own code.
  var ownCounted: UInt32 { ms_interleaving_own_counted(calls) }

  /// True if this system can stop calls at an instruction.
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

/// A place at which a call is stopped.
enum StoppingPlace {
  /// After exactly this number of instructions. Each counted instruction costs some microseconds.
  case instruction(UInt32)
  /// Before this instruction of the program's own code, counted from 1.
  case ownInstruction(UInt32)
  /// After this number of nanoseconds, for places that instruction counting does not reach.
  case time(UInt32)

  /// The maximum number of counted instructions.
  static let limit: UInt32 = 8192
}

/// Chooses the places at which a call is stopped. Once the length of the call is known, the places
/// are spread evenly over the call, or over the call's instructions of the program's own code.
struct StoppingPlaces: Sendable {
  /// The length of a call in instructions, and the number of the next place.
  private struct Progress {
    var length: UInt32 = 0
    var next: UInt32

    /// The next place in bit-reversed order: each further bit halves the intervals between earlier
    /// places.
    mutating func place() -> UInt32 {
      next &+= 1
      return 1 + UInt32((UInt64(next.bitReversed) * UInt64(length)) >> 32)
    }
  }

  private var all: Progress
  private var own: Progress
  private var tries = 0

  /// - Parameter plays: The number of earlier plays, whose places were chosen by other instances.
  init(after plays: UInt64 = 0) {
    all = Progress(next: UInt32(truncatingIfNeeded: plays))
    own = all
  }

  /// Returns the next place; nil if both calls start together without a stop.
  mutating func next(_ random: inout SeededRandom) -> StoppingPlace? {
    tries += 1
    // The first call also includes one-time initialization of the process, so its length is not
    // used.
    guard all.length > 0, tries > 2 else { return .instruction(StoppingPlace.limit) }
    switch random.next() % 8 {
    case 0: return nil
    // A stop by time reaches calls that exceed the instruction limit.
    case 1: return .time(random.logarithmic(from: 8, to: 20))
    case 2, 3: return .instruction(all.place())
    default: return own.length > 0 ? .ownInstruction(own.place()) : .instruction(all.place())
    }
  }

  /// Updates the length of the call after a play that counted its instructions.
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
  /// Returns a random number whose bit count is uniformly distributed.
  fileprivate mutating func logarithmic(from: UInt64, to: UInt64) -> UInt32 {
    let magnitude = from + next() % (to - from)
    return UInt32((1 << magnitude) + next() % (1 << magnitude))
  }
}
