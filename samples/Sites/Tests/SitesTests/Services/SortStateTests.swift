import Testing

@testable import Sites

@Suite struct SortStateTests {
  @Test func theCycleVisitsEachStateOnceAndBeginsAnew() {
    var state = SortState.none
    var visited: [SortState] = []
    for _ in SortState.allCases {
      visited.append(state)
      state.advance()
    }
    #expect(visited == SortState.allCases)
    #expect(state == .none)
    #expect(SortState.allCases.last?.next == SortState.allCases.first)
  }

  @Test func unsortedIsTheOrderOfTheEndpoint() {
    #expect(SortState.none.sorted(Samples.sites) == Samples.sites)
  }

  @Test func namesAreSortedAsPeopleDo() {
    let names = SortState.nameAscending.sorted(Samples.sites).map(\.name)
    #expect(names == ["ärger", "Debian 9", "Debian 12", "Swift"])
    let reversed = SortState.nameDescending.sorted(Samples.sites).map(\.name)
    #expect(reversed == names.reversed())
  }

  @Test func sitesWithoutAnAddressComeLastByHost() {
    let hosts = SortState.host.sorted(Samples.sites).map(\.url.host)
    #expect(hosts == ["a.example", "b.example", "swift.org", nil])
  }

  @Test(arguments: SortState.allCases) func equalsKeepTheirOrder(state: SortState) {
    let twins = (0..<20).map { number in
      Site(name: "Twin", url: "http://a.example", icon: "", description: "\(number)")
    }
    #expect(state.sorted(twins) == twins)
  }
}
