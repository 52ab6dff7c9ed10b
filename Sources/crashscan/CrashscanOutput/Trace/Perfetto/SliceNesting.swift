/// Makes the slices of one track nested or disjoint, as a trace requires.
///
/// A slice is known when it ends, so an inner slice comes before the outer one. The end of a slice
/// is the time of its crumb, slightly after the work; its start, computed from the duration, is too
/// late by the same amount. Therefore, a slice that seems to start within an earlier slice started
/// before it. If it had started after the earlier slice, it would seem to start even later, apart
/// from the difference between two clocks.
struct SliceNesting {
  private var slices: [(begin: UInt64, end: UInt64)] = []
  private static let most = 64

  /// Returns the adjusted start of a slice that ends now. Call it in the order of the slices' ends.
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
      // If two slices start together, the reader takes the later-written one for the inner slice.
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
