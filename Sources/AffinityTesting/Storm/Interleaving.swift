internal import CTestProcess

/// Two calls on two threads, of which the first is stopped somewhere inside while the other runs.
///
/// Threads that set out together seldom meet where it hurts, and on a busy machine hardly ever.
final class Interleaving: @unchecked Sendable {
  // Made for two threads: what they share is atomic.
  private let calls: OpaquePointer

  init(stopping place: StoppingPlace) {
    calls =
      switch place {
      case .instruction(let number): ms_interleaving_create(number, 0)
      case .time(let nanoseconds): ms_interleaving_create(0, nanoseconds)
      }
  }

  deinit { ms_interleaving_destroy(calls) }

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

/// Where inside of a call it is stopped.
enum StoppingPlace {
  /// After so many instructions, exactly; each that is counted costs some microseconds.
  case instruction(UInt32)
  /// After so many nanoseconds: for places that lie deep inside.
  case time(UInt32)

  /// Nil where both calls simply set out together.
  static func random(_ random: inout SeededRandom) -> StoppingPlace? {
    switch random.next() % 8 {
    case 0: nil
    case 1...4: .instruction(random.logarithmic(from: 4, to: 11))
    default: .time(random.logarithmic(from: 8, to: 20))
    }
  }
}

extension SeededRandom {
  /// A number of so many bits, of each count of bits as often.
  fileprivate mutating func logarithmic(from: UInt64, to: UInt64) -> UInt32 {
    let magnitude = from + next() % (to - from)
    return UInt32((1 << magnitude) + next() % (1 << magnitude))
  }
}
