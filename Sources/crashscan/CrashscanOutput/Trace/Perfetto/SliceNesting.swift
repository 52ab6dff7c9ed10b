/// Sees to it that the slices of one track lie within each other or apart, as a trace must have them.
///
/// A slice is known when it ends, so an inner slice comes before the outer one. Its end is the time of its
/// crumb, slightly after the work; its begin, computed from the duration, is too late by the same amount.
/// Therefore a slice that seems to begin in the middle of an earlier one began before it. If it had begun after
/// it, it would seem to begin even later, apart from the difference of two clocks.
struct SliceNesting {
  private var slices: [(begin: UInt64, end: UInt64)] = []
  private static let most = 64

  /// The begin of a slice that ends now. Call it in the order of the slices' ends.
  mutating func begin(of begin: UInt64, endingAt end: UInt64) -> UInt64 {
    var begin = min(begin, end)
    while let last = slices.last, last.end > begin {
      if last.begin < begin {
        if last.end - begin <= 20 + (end - begin) >> 13 {
          begin = min(last.end, end)
          break
        }
        begin = last.begin
      }
      // Of two that begin together the one that is written later would be taken for the inner one.
      if last.begin == begin {
        let least = slices.count > 1 ? slices[slices.count - 2].end : 0
        begin = max(least, begin > 0 ? begin - 1 : 0)
      }
      slices.removeLast()
    }
    slices.append((begin, end))
    if slices.count > Self.most { slices.removeFirst(Self.most / 2) }
    return begin
  }
}
