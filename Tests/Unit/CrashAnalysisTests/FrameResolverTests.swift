import CrashAnalysis
import IncidentModel
import Testing

/// Lines of instructions that the compiler gave none.
@Suite struct FrameResolverTests {
  private struct Symbols: SymbolSource {
    let frames: [UInt64: SourceFrame]

    func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
      frames[address.lookup].map { [$0] } ?? []
    }
  }

  private func code(_ name: String, _ file: String, _ line: Int) -> SourceFrame {
    SourceFrame(function: name, mangledName: name, file: file, line: line)
  }

  private func resolved(_ address: UInt64, _ frames: [UInt64: SourceFrame]) -> SourceFrame? {
    var resolver = FrameResolver(symbols: Symbols(frames: frames))
    let module = Module(path: "/program", buildID: [1], loadBias: 0, text: 0..<0x1000)
    resolver.begin([SeenModule(module: module, since: 0)])
    return resolver.frame(at: resolver.place(of: .instruction(address), when: 1)).functions.last
  }

  @Test(arguments: ["Prices.swift", "<compiler-generated>", "/<compiler-generated>"])
  func haveThatOfTheNearestOfTheSameFunction(file: String) {
    let found = resolved(
      0x100,
      [
        0x100: code("sum", file, 0), 0xfc: code("other", "Prices.swift", 7),
        0x104: code("sum", "<compiler-generated>", 0), 0xf8: code("sum", "Prices.swift", 131),
        0x10c: code("sum", "Prices.swift", 140),
      ])
    #expect(found == code("sum", "Prices.swift", 131))
  }

  @Test func stayWithoutWhereTheWholeFunctionIsMadeUp() {
    let thunk = code("thunk for closure", "<compiler-generated>", 0)
    let found = resolved(0x100, [0x100: thunk, 0x104: thunk, 0xfc: code("sum", "Prices.swift", 7)])
    #expect(found == thunk)
  }
}
