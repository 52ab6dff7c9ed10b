import Testing

@testable import CrashscanOutput

/// Slices of one track, told in the order of their ends.
struct SliceNestingTests {
  private func begins(_ slices: [(begin: UInt64, end: UInt64)]) -> [UInt64] {
    var nesting = SliceNesting()
    return slices.map { nesting.begin(of: $0.begin, endingAt: $0.end) }
  }

  @Test func slicesThatLieRightStayAsTheyAre() {
    #expect(begins([(100, 200), (200, 300), (350, 400)]) == [100, 200, 350])
    #expect(begins([(120, 150), (160, 180), (100, 200)]) == [120, 160, 100])
  }

  @Test func theOneAroundBeginsBeforeTheOneWithin() {
    // Its begin seems to lie within the inner slice, for its crumb was left late.
    #expect(begins([(1_000, 2_000), (1_500, 9_000)]) == [1_000, 999])
    // Both seem to begin together: the outer one must be the first.
    #expect(begins([(1_000, 2_000), (1_000, 9_000)]) == [1_000, 999])
  }

  @Test func whatComesRightAfterIsNotTakenForTheOneAround() {
    #expect(begins([(1_000, 2_000), (1_990, 3_000)]) == [1_000, 2_000])
  }

  @Test func anyOrderOfBordersGivesSlicesThatNest() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var nesting = SliceNesting()
      var end: UInt64 = 1_000
      var slices: [(UInt64, UInt64)] = []
      for _ in 0..<100 {
        end += UInt64.random(in: 0...300, using: &random)
        let begin = end - UInt64.random(in: 0...min(end, 1_000), using: &random)
        slices.append((nesting.begin(of: begin, endingAt: end), end))
      }
      for (place, later) in slices.enumerated() {
        #expect(later.0 <= later.1)
        for earlier in slices[max(0, place - 20)..<place] {
          let isApart = earlier.1 <= later.0
          let isWithin = later.0 <= earlier.0
          #expect(isApart || isWithin, "\(earlier) and \(later)")
        }
      }
    }
  }
}
