import Testing

@testable import ThreadAffinity

@Suite("Names of functions in the log line")
struct ShortNameTests {
  @Test(
    "are short: no module, no types, labels for parameters",
    arguments: [
      ("App.Feed.show() -> ()", "Feed.show()"),
      ("App.Feed.show(Swift.Int, at: [Swift.String : (A, B)]) -> ()", "Feed.show(_:at:)"),
      (
        "closure #1 @Sendable (Swift.Int) -> () in App.Feed.load() -> ()",
        "closure #1 in Feed.load()"
      ),
      (
        "closure #2 () -> () in closure #1 () throws -> () in App.run(body: () -> A) async throws -> B",
        "closure #2 in closure #1 in run(body:)"
      ),
      ("closure #4 (Swift.Int) -> () in demo_service", "closure #4 in top-level code"),
      ("static App.Feed.shared.getter : App.Feed", "static Feed.shared.getter"),
      ("App.(secret in _8B0C91E5)(number: Swift.Int) -> ()", "secret(number:)"),
      (
        "(extension in App):Swift.Array< where A: App.P>.sum<A where A: Q>(by: (A) -> A1) -> A1",
        "Array.sum(by:)"
      ),
      ("generic specialization <App.Feed> of App.Box.open(A) -> ()", "Box.open(_:)"),
      (
        "protocol witness for App.Seller.price(_: App.Item, in: [Swift.String]) -> () in conformance App.Shop : App.Seller in App",
        "Shop.price(_:in:)"
      ),
      (
        "protocol witness for App.Seller.name.getter : Swift.String in conformance <A> App.Box<A> : App.Seller in App",
        "Box.name.getter"
      ),
      (
        "(1) await resume partial function for App.Feed.load(Swift.Int) async throws -> ()",
        "Feed.load(_:)"
      ),
      (
        "(2) suspend resume partial function for closure #1 @Sendable () async -> () in App.Feed.load() -> ()",
        "closure #1 in Feed.load()"
      ),
      ("protocol witness for ", "protocol witness for "),
      ("static App.Version.< infix(App.Version, App.Version) -> Swift.Bool", nil),
      ("App.f((", "f(("), ("", ""), ("->", "->"), ("<", "<"), (")", ")"),
    ] as [(String, String?)])
  func areShort(_ demangled: String, _ short: String?) {
    let name = ShortName.of(demangled)
    if let short { #expect(name == short) } else { #expect(name.contains("<")) }
  }
}
