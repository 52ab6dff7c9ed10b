import Testing

@testable import Operations

@Suite struct OperationIDTests {
  @Test func idsAreSixteenLettersAndDigitsAndNeverTheSame() {
    let ids = (0..<1000).map { _ in OperationID.random() }
    #expect(Set(ids).count == 1000)
    #expect(ids.allSatisfy { $0.text.count == 16 && $0.text.allSatisfy { $0.isASCII } })
    #expect(ids.allSatisfy { $0.text.allSatisfy { $0.isLetter || $0.isNumber } })
  }

  @Test func theSameGeneratorGivesTheSameIds() {
    var one = Sequence(), other = Sequence()
    #expect(OperationID.random(using: &one) == OperationID.random(using: &other))
    #expect(OperationID.random(using: &one) == OperationID.random(using: &other))
  }

  /// Numbers that are known in advance.
  private struct Sequence: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }
}
