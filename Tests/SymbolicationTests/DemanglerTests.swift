import Testing

@testable import Symbolication

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
    ("main", "main"), ("_Z", "_Z"), ("_Zfoo", "_Zfoo"), ("$s", "$s"), ("", ""),
  ])
  mutating func namesAreReadable(mangled: String, readable: String) {
    #expect((demangler.readable(mangled) ?? mangled) == readable)
  }

  /// The digits are a hash of the file, and may be any.
  @Test(arguments: [
    "E8E6F1FAFF95E504A5771CA681867659", "A9999999BA9999999BA9999999BA9999",
    "0123456789ABCDEF0123456789ABCDEF",
  ])
  mutating func privateNamesAreReadableWhateverTheirFile(hash: String) {
    let name = "$s6Reader14FeedControllerC9showSaved33_\(hash)LLyySbF"
    #expect(demangler.readable(name) == "FeedController.showSaved(_:)")
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

  @Test mutating func afterSomeSuchNamesAllStayMangled() {
    let good = "$sSa6appendyyxnFSS_Tg5"
    for _ in 0..<15 { _ = demangler.readable(doublingCxx(30)) }
    #expect(demangler.readable(good) != nil)
    _ = demangler.readable(doublingCxx(30))
    #expect(demangler.readable(good) == nil)
  }
}
