/// Sees to it that the slices of one track lie within each other or apart, as a trace must have them.
///
/// A slice is known when it ends, so an inner one comes before the one around it. What it took is
/// measured on another clock than its end, so that borders that ought to lie in order may be off by a
/// little: a slice that seems to begin in the middle of an earlier one is moved to its nearer border.
struct SliceNesting {
  private var slices: [(begin: UInt64, end: UInt64)] = []
  private static let most = 64

  /// Where a slice begins that ends now; slices are to be given in the order of their ends.
  mutating func begin(of begin: UInt64, endingAt end: UInt64) -> UInt64 {
    var begin = min(begin, end)
    while let last = slices.last, last.end > begin {
      if last.begin < begin {
        if last.end - begin <= begin - last.begin {
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
