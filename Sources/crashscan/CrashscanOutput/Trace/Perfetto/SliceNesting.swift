/// Sees to it that the slices of one track lie within each other or apart, as a trace must have them.
///
/// A slice is known when it ends, so an inner one comes before the one around it. Its end is when its
/// crumb was left, a little after the work: so its begin, told by how long the work took, is as much too
/// late. A slice that seems to begin in the middle of an earlier one therefore began before it; had it
/// come after, it would seem to begin later still, but for what two clocks differ by.
struct SliceNesting {
  private var slices: [(begin: UInt64, end: UInt64)] = []
  private static let most = 64

  /// Where a slice begins that ends now; slices are to be given in the order of their ends.
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
