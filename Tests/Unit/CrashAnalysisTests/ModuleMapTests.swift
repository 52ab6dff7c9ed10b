import CrashAnalysis
import IncidentModel
import Testing

@Suite struct ModuleMapTests {
  private func seen(_ name: String, _ text: Range<UInt64>, since: UInt64) -> SeenModule {
    SeenModule(module: Module(path: name, buildID: [], loadBias: 0, text: text), since: since)
  }

  private func name(_ map: ModuleMap, _ address: UInt64, _ monotonic: UInt64) -> String? {
    map.index(at: address, when: monotonic).map { map[$0].path }
  }

  @Test func ofModulesAtOnePlaceTheLastSeenByThenCounts() {
    let map = ModuleMap([
      seen("second", 100..<200, since: 20), seen("first", 100..<200, since: 10),
      seen("third", 100..<200, since: 30),
    ])
    #expect(
      [5, 10, 19, 20, 29, 30, 99].map { name(map, 150, $0) }
        == ["first", "first", "first", "second", "second", "third", "third"])
    #expect(name(map, 99, 20) == nil)
    #expect(name(map, 200, 20) == nil)
  }

  @Test func ofModulesThatLieOverEachOtherTheLastSeenByThenCounts() {
    let map = ModuleMap([
      seen("wide", 100..<900, since: 10), seen("narrow", 300..<400, since: 20),
      seen("later", 350..<1000, since: 30),
    ])
    #expect(name(map, 360, 5) == "wide")
    #expect(name(map, 360, 15) == "wide")
    #expect(name(map, 360, 25) == "narrow")
    #expect(name(map, 360, 35) == "later")
    #expect(name(map, 250, 35) == "wide")
    #expect(name(map, 950, 5) == "later", "also for the time before it was seen")
  }

  /// A reader that looks at all of them for each address takes hours for this.
  @Test(.timeLimit(.minutes(1))) func manyOverEachOtherAreNoTrouble() {
    let map = ModuleMap(
      (0..<100_000).map { seen("\($0)", UInt64($0)..<1 << 40, since: UInt64($0)) })
    for address in 0..<5_000 {
      #expect(map.index(at: UInt64(address) + 200_000, when: .max) != nil)
    }
  }
}
