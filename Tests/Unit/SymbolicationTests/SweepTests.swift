import Testing

@testable import Symbolication

/// The sweeps beside the plain definition of what they compute, on random spans.
@Suite struct SweepTests {
  private struct Random {
    var state: UInt64
    mutating func next(_ bound: UInt32) -> UInt32 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(state >> 33) % bound
    }
    mutating func spans(_ count: Int, owners: UInt32) -> [Span] {
      (0..<count).map { _ in
        let low = next(60)
        return Span(low: low, high: low + 1 + next(20), owner: next(owners))
      }
    }
  }

  private func owner(at address: UInt32, _ runs: [Span]) -> UInt32? {
    let holding = runs.filter { $0.low <= address && address < $0.high }
    #expect(holding.count <= 1)
    return holding.first?.owner
  }

  @Test func theLastSpanOverAnAddressWins() {
    var random = Random(state: 1)
    for _ in 0..<400 {
      let spans = random.spans(Int(random.next(12)), owners: 50)
      let runs = lastOverEach(spans[...])
      #expect(runs == runs.sorted { $0.low < $1.low })
      for address in 0..<UInt32(90) {
        let expected = spans.last { $0.low <= address && address < $0.high }?.owner
        #expect(owner(at: address, runs) == expected)
      }
    }
  }

  @Test func anOwnerKeepsWhatItClaimsAndElseTheFirstUnitGetsIt() {
    var random = Random(state: 2)
    for _ in 0..<400 {
      let claims = random.spans(Int(random.next(12)), owners: 5)
      let runs = ownersOverEach(claims, unitCount: 5)
      var last: UInt32?
      for address in 0..<UInt32(90) {
        let claiming = Set(
          claims.filter { $0.low <= address && address < $0.high }.map(\.owner))
        let expected = last.flatMap { claiming.contains($0) ? $0 : nil } ?? claiming.min()
        #expect(owner(at: address, runs) == expected)
        last = expected
      }
    }
  }

  @Test func sortingKeepsTheOrderOfEquals() {
    var random = Random(state: 3)
    for count in [0, 1, 2, 100, 5000] {
      var keys = (0..<count).map { UInt64(random.next(1 << 30)) << 34 | UInt64($0) }
      for index in keys.indices where index % 3 == 0 { keys[index] &= 0xff_0000_0000 | 0xffff }
      let expected = keys.enumerated().sorted {
        ($0.element >> 32, $0.offset) < ($1.element >> 32, $1.offset)
      }.map(\.element)
      sortByUpperHalf(&keys)
      #expect(keys == expected)
    }
  }
}
