import Symbolication
import Testing

@Suite struct DemanglerTests {
  private var demangler = Demangler()

  @Test(arguments: [
    ("$sSa6appendyyxnFSS_Tg5", "specialized Array.append(_:)"),
    (
      "$s7Runtime26BacktraceFormattingOptionsV8demangleyACSbF",
      "BacktraceFormattingOptions.demangle(_:)"
    ),
    (
      "_ZNSt6vectorIiSaIiEE9push_backERKi",
      "std::vector<int, std::allocator<int> >::push_back(int const&)"
    ),
    ("$s4mainyycfU_", "closure #1 in top-level code"),
    ("$s4mainyyXEfU0_yyXEfU_", "closure #1 in closure #2 in top-level code"),
    ("main", "main"), ("_Z", "_Z"), ("_Zfoo", "_Zfoo"), ("$s", "$s"), ("", ""),
  ])
  mutating func namesAreReadable(mangled: String, readable: String) {
    #expect((demangler.readable(mangled) ?? mangled) == readable)
  }

  /// a<a<…>, a<…>>, each level naming the one before twice.
  private func doublingCxx(_ levels: Int) -> String {
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return "_Z1f1aIiiE"
      + (1..<levels).map { "S_I" + String(repeating: "S\(digits[$0 - 1])_", count: 2) + "E" }
      .joined()
  }

  /// The same of a Swift generic type, as the compiler mangles it.
  private func doublingSwift(_ levels: Int) -> String {
    let ends = (1..<levels).map { "A\(Character(UnicodeScalar(UInt8(67 + $0))))G" }.joined()
    return "$s1x1AVy" + String(repeating: "ACy", count: levels - 1) + "S2iG" + ends + "MD"
  }

  @Test(.timeLimit(.minutes(5))) mutating func namesThatUnfoldWithoutEndStayMangled() {
    #expect(demangler.readable(doublingCxx(5))?.count == 508)
    #expect(demangler.readable(doublingCxx(30)) == nil)
    #expect(
      demangler.readable(doublingSwift(3))?.contains("A<A<A<Int, Int>, A<Int, Int>>, ") == true)
    #expect(demangler.readable(doublingSwift(21)) == nil)
  }

  @Test mutating func afterSomeNamesThatUnfoldFarAllStayMangled() {
    let good = "$sSa6appendyyxnFSS_Tg5"
    for _ in 0..<15 { #expect(demangler.readable(doublingCxx(12)) == nil) }
    #expect(demangler.readable(good) != nil)
    #expect(demangler.readable(doublingCxx(12)) == nil)
    #expect(demangler.readable(good) == nil)
  }

  @Test mutating func namesThatAreNotTriedCostTheOthersNothing() {
    for _ in 0..<100 { #expect(demangler.readable(doublingCxx(30)) == nil) }
    #expect(demangler.readable("$sSa6appendyyxnFSS_Tg5") != nil)
  }

  @Test(arguments: ["$sRv_Si", "$s1aRvz", "$s1a1byyRVzF", "$s1x1AVMRv_", "_T0SiRv_"])
  mutating func namesThatEndTheDemanglersProcessStayMangled(name: String) {
    #expect(demangler.readable(name) == nil)
  }

  /// What a file's private names are told from another's by is a number in hexadecimal digits; where
  /// it is read as operators it refers to what stands before it, thousands of times.
  @Test(arguments: [
    (
      "$s7Victims5Board33_4D88A85805A21A99B7A1FA3A402A6F35LLC6layOutyyF", "Board.layOut()"
    ),
    (
      "$s7Victims5BoardC10_relaidOut33_4D88A85805A21A99B7A1FA3A402A6F35LL2byySi_tF",
      "Board._relaidOut(by:)"
    ),
    (
      "$s10TSCUtility14ArgumentParserC6ResultC3add33_3BB8780A7ACD0D4AF80983B8A7313292LL_3forySay"
        + "AA0B4Kind_pG_AA03AnyB0CtKF",
      "ArgumentParser.Result.add(_:for:)"
    ),
    (
      "$s13CrashAnalysis13AffinityDriftC5Value33_D0AA29721870EFC364E0E528A17CA136LLV5labelSSvg",
      "AffinityDrift.Value.label.getter"
    ),
    (
      "$s20FoundationEssentials9PredicateV5valueACyxxQp_QPGSb_tc33_93C029C4C3D71363614582E7C88A1133"
        + "LlfC",
      "Predicate.init(value:)"
    ),
    (
      "$s15AffinityTesting4ShimC4keepyys8Sendable_XlFyAC5State33_F6A749E0629C2A04A18963A5B53542ABLLV"
        + "zYuYTXEfU_",
      "closure #1 in Shim.keep(_:)"
    ),
  ])
  mutating func privateNamesAreReadable(mangled: String, readable: String) {
    #expect(demangler.readable(mangled) == readable)
  }

  /// After an operator that is not known to end there digits need not begin an identifier: what they
  /// would hide is counted.
  @Test(.timeLimit(.minutes(5)), arguments: ["Tf9n_n", "M", "W", "B"])
  mutating func nothingHidesReferences(behind operators: String) {
    let name = "$s1x1AV" + operators + "99" + doublingSwift(28).dropFirst(7)
    #expect(demangler.readable(name) == nil)
  }
}
