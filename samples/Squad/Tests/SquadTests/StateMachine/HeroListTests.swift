import FoundationNetworking
import Testing

@testable import Squad

/// The list's state machine: each flow the way it goes, and what means nothing where.
@Suite struct HeroListTests {
  typealias State = HeroList.State
  private let lost = RemoteError.unreachable(.networkConnectionLost)

  /// Sends events to a state, and returns what it becomes with the last event's effects.
  private func after(
    _ events: HeroList.Event..., from start: State = State()
  ) -> (State, [HeroList.Effect]) {
    var state = start
    var effects: [HeroList.Effect] = []
    for event in events { effects = HeroList.reduce(&state, on: event) }
    return (state, effects)
  }

  private func fresh(_ ids: ClosedRange<Int>, offset: Int, total: Int = 45) -> HeroList.Event {
    .arrived(offset: offset, .fresh(.sample(ids, offset: offset, total: total)))
  }

  private var loaded: State { after(.willAppear, fresh(1...20, offset: 0)).0 }

  // MARK: The first page

  @Test func appearingLoadsTheListAndTheSquad() {
    let (state, effects) = after(.willAppear)
    #expect(state.status == .loading)
    #expect(effects == [.loadPage(offset: 0), .loadSquad])
  }

  @Test func appearingAgainReadsOnlyTheSquadAnew() {
    let (state, effects) = after(.willAppear, from: loaded)
    #expect(state == loaded)
    #expect(effects == [.loadSquad])
  }

  @Test func whatTheNetworkSaysIsLoaded() {
    #expect(loaded.status == .loaded)
    #expect(loaded.heroes.map(\.id) == Array(1...20))
    #expect(loaded.hasMore)
  }

  @Test func whatAFileSaysIsPersisted() {
    let page = HeroPage.sample(1...20, offset: 0)
    let (state, _) = after(.willAppear, .arrived(offset: 0, .persisted(page, lost)))
    #expect(state.status == .persisted(lost))
    #expect(state.heroes.count == 20)
  }

  @Test func neitherIsAnErrorThatCanBeRetried() {
    let failed = after(.willAppear, .failed(offset: 0, lost)).0
    #expect(failed.status == .error(lost))
    let (retried, effects) = after(.retry, from: failed)
    #expect(retried.status == .loading)
    #expect(effects == [.loadPage(offset: 0)])
    #expect(after(fresh(1...20, offset: 0), from: retried).0 == loaded)
  }

  @Test func whatIsPersistedStaysWhileItIsRefreshed() {
    let page = HeroPage.sample(1...20, offset: 0)
    let persisted = after(.willAppear, .arrived(offset: 0, .persisted(page, lost))).0
    let (refreshing, effects) = after(.retry, from: persisted)
    #expect(effects == [.loadPage(offset: 0)])
    #expect(refreshing.heroes == persisted.heroes)
    #expect(after(.failed(offset: 0, .status(500)), from: refreshing).0.heroes.count == 20)
    let (refreshed, _) = after(fresh(31...50, offset: 0), from: refreshing)
    #expect(refreshed.status == .loaded)
    #expect(refreshed.heroes.map(\.id) == Array(31...50))
  }

  // MARK: Further pages

  @Test func comingNearTheEndLoadsTheNextPageOnce() {
    #expect(after(.reached(row: 14), from: loaded).1 == [])
    let (state, effects) = after(.reached(row: 15), from: loaded)
    #expect(state.nextPage == .loading)
    #expect(effects == [.loadPage(offset: 20)])
    #expect(after(.reached(row: 16), from: state).1 == [])
  }

  @Test func theNextPageIsAppended() {
    let (state, _) = after(.reached(row: 19), fresh(21...40, offset: 20), from: loaded)
    #expect(state.heroes.map(\.id) == Array(1...40))
    #expect(state.nextPage == .idle)
    #expect(state.status == .loaded)
  }

  @Test func afterTheLastPageNothingMoreIsAsked() {
    let (state, effects) = after(
      .reached(row: 19), fresh(21...40, offset: 20), .reached(row: 39), fresh(41...45, offset: 40),
      .reached(row: 44), from: loaded)
    #expect(!state.hasMore)
    #expect(effects == [])
  }

  @Test func pagesThatOverlapShowNobodyTwice() {
    // One hero was added to the front meanwhile, so the twentieth comes once more.
    let (state, _) = after(.reached(row: 19), fresh(20...39, offset: 20, total: 46), from: loaded)
    #expect(state.heroes.map(\.id) == Array(1...39))
    #expect(after(.reached(row: 38), from: state).1 == [.loadPage(offset: 40)])
  }

  @Test func aPageOfNothingIsTheEnd() {
    let empty = HeroPage(offset: 20, total: 45, heroes: [])
    let (state, _) = after(.reached(row: 19), .arrived(offset: 20, .fresh(empty)), from: loaded)
    #expect(!state.hasMore)
    #expect(after(.reached(row: 19), from: state).1 == [])
  }

  @Test func aNextPageThatFailsLeavesTheListAndCanBeRetried() {
    let (failed, _) = after(.reached(row: 19), .failed(offset: 20, lost), from: loaded)
    #expect(failed.nextPage == .failed(lost))
    #expect(failed.heroes == loaded.heroes)
    // Scrolling alone does not ask again and again.
    #expect(after(.reached(row: 19), from: failed).1 == [])
    #expect(after(.retry, from: failed).1 == [.loadPage(offset: 20)])
  }

  @Test func answersThatNobodyWaitsForChangeNothing() {
    #expect(after(fresh(1...20, offset: 0)).0 == State())
    #expect(after(fresh(41...45, offset: 40), from: loaded).0 == loaded)
    #expect(after(.failed(offset: 20, lost), from: loaded).0 == loaded)
    let paging = after(.reached(row: 19), from: loaded).0
    #expect(after(fresh(1...20, offset: 0), from: paging).0 == paging)
  }

  // MARK: The squad and the way to the detail

  @Test func theSquadComesAndItsErrorGoesWithIt() {
    let failed = after(.squadFailed(.unreadable), from: loaded).0
    #expect(failed.squadError == .unreadable)
    #expect(after(.retry, from: failed).1 == [.loadSquad])
    let (state, _) = after(.squadArrived([.sample(3)]), from: failed)
    #expect(state.squad == [.sample(3)])
    #expect(state.squadError == nil)
  }

  @Test func tappingTwiceOpensOneDetail() {
    let (once, effects) = after(.tapped(.sample(3)), from: loaded)
    #expect(effects == [.open(.sample(3))])
    #expect(after(.tapped(.sample(3)), from: once).1 == [])
    #expect(after(.tapped(.sample(4)), from: once).1 == [])
    #expect(after(.closed, .tapped(.sample(4)), from: once).1 == [.open(.sample(4))])
  }

  @Test func theDetailStaysOpenWhileTheListUnderItChanges() {
    let open = after(.tapped(.sample(3)), from: loaded).0
    let (state, effects) = after(
      .squadArrived([.sample(3)]), .willAppear, .reached(row: 19), fresh(21...40, offset: 20),
      from: open)
    #expect(state.opened == .sample(3))
    #expect(effects == [])
  }
}
