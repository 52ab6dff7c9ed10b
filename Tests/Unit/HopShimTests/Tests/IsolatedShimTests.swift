import ShimmedProtocols
import Testing
import ThreadAffinity

@Suite("Targets of the main actor's")
struct IsolatedShimTests {
  @Test("A class of the main actor's is asked through the protocol that the shim's file declares")
  func isolatedProtocol() async throws {
    let page = Page()
    let shim = ReaderHop(page)
    let answers = try await offMainThrowing {
      shim.opened(1, of: Box(7))
      shim.position = 3
      shim["intro"] = 5
      var number = 1
      let isTurned = shim.turn(&number)
      return [
        try shim.pages(of: "book"), shim.position, shim["intro"], isTurned ? number : -1,
        shim.mark(page: 9) ? 1 : 0,
      ]
    }
    // `mark` is not waited for.
    #expect(answers == [4, 3, 5, 2, 0])
    #expect(throws: EditorError(code: 1)) { try shim.pages(of: "none") }
    #expect(try await shim.load(2) == "page 2")
    await drainMain()
    #expect(await page.calls == ["opened 1 of 7", "marked 9"])
    shim.renamed("other")
    let goesOn = await withCheckedContinuation { continuation in
      shim.reader("a") { continuation.resume(returning: $0) }
    }
    #expect(goesOn)
    #expect(await page.calls.last == "renamed other")
  }

  #if compiler(>=6.2)
    @Test("A conformance that is isolated to the main actor is enough for a shim")
    func isolatedConformance() async {
      let sign = Sign()
      let shim = await sign.shim
      await offMain { for _ in 1...50 { shim.inner() } }
      await drainMain()
      #expect(await sign.calls == 50)
    }
  #endif

  private func offMainThrowing(
    _ body: @escaping @Sendable () throws -> [Int]
  ) async throws -> [Int] {
    try await offMain { Result { try body() } }.get()
  }
}

@MainActor
private final class Page: ReaderOnMain {
  private(set) var calls: [String] = []
  var position = 0
  private var marks: [String: Int] = [:]

  func renamed(_ name: String) { calls.append("renamed \(name)") }
  func opened(_ page: Int, of box: Box) { calls.append("opened \(page) of \(box.number)") }
  func reader(_ name: String, shouldGoOn: @escaping @Sendable (Bool) -> Void) { shouldGoOn(true) }

  func pages(of name: String) throws -> Int {
    if name == "none" { throw EditorError(code: 1) }
    return name.count
  }

  func turn(_ page: inout Int) -> Bool {
    page += 1
    return true
  }

  func load(_ number: Int) async throws -> String {
    await Task.yield()
    expectIsolation("pages are loaded on the main actor")
    return "page \(number)"
  }

  func mark(page number: Int) -> Bool {
    calls.append("marked \(number)")
    return true
  }

  subscript(mark: String) -> Int {
    get { marks[mark] ?? -1 }
    set { marks[mark] = newValue }
  }
}

#if compiler(>=6.2)
  @MainActor
  private final class Sign {
    private(set) var calls = 0
    var shim: OuterInnerHop { OuterInnerHop(self) }
  }

  extension Sign: @MainActor Outer.Inner {
    func inner() { calls += 1 }
  }
#endif
