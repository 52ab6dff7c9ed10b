import IncidentModel

/// When something happened, on the monotonic and the wall clock.
struct Moment {
  var monotonic: UInt64
  var wall: UInt64
  /// False where the input only tells what came before and what after.
  var isTold = true

  static let never = Moment(monotonic: 0, wall: 0)

  /// How long after this `later` was, in words; nil where that is not told, or both were one.
  func time(until later: Moment) -> String? {
    guard isTold, later.isTold, later.monotonic != monotonic else { return nil }
    return TimeSpan.text(nanoseconds: later.monotonic &- monotonic)
  }
}

extension Event {
  var moment: Moment {
    Moment(monotonic: monotonic, wall: wall, isTold: !marks.contains(.untimed))
  }
}
