import FoundationNetworking
import Testing

@testable import Squad

/// The detail's state machine: the comics on one hand, hiring and firing on the other.
@Suite struct HeroDetailTests {
  typealias State = HeroDetail.State
  private let lost = RemoteError.unreachable(.timedOut)
  private let hero = Superhero.sample(3)
  private let comics = Appearances(
    total: 3,
    comics: [.init(id: 1, title: "One", image: nil), .init(id: 2, title: "Two", image: nil)])

  private func after(
    _ events: HeroDetail.Event..., from start: State? = nil
  ) -> (State, [HeroDetail.Effect]) {
    var state = start ?? State(hero: hero)
    var effects: [HeroDetail.Effect] = []
    for event in events { effects = HeroDetail.reduce(&state, on: event) }
    return (state, effects)
  }

  // MARK: Comics

  @Test func appearingAsksForTheComicsAndTheSquad() {
    let (state, effects) = after(.willAppear)
    #expect(state.status == .loading)
    #expect(effects == [.loadAppearances(hero: 3), .loadSquad])
    // Once the squad is known, nothing more is asked.
    #expect(after(.willAppear, .squadArrived([]), .willAppear).1 == [])
  }

  @Test func comicsAreLoadedOrPersistedOrAnError() {
    #expect(after(.willAppear, .arrived(.fresh(comics))).0.status == .loaded)
    let persisted = after(.willAppear, .arrived(.persisted(comics, lost))).0
    #expect(persisted.status == .persisted(lost))
    #expect(persisted.appearances?.others == 1)
    #expect(after(.willAppear, .failed(lost)).0.status == .error(lost))
  }

  @Test func errorsAndOldComicsCanBeRetriedAndNothingElse() {
    for event in [HeroDetail.Event.failed(lost), .arrived(.persisted(comics, lost))] {
      let (state, effects) = after(.willAppear, event, .retry)
      #expect(state.status == .loading)
      #expect(effects == [.loadAppearances(hero: 3)])
    }
    #expect(after(.willAppear, .retry).1 == [])
    #expect(after(.willAppear, .arrived(.fresh(comics)), .retry).1 == [])
  }

  @Test func oldComicsStayWhereRefreshingFails() {
    let (state, _) = after(
      .willAppear, .arrived(.persisted(comics, lost)), .retry, .failed(.status(500)))
    #expect(state.appearances == comics)
    #expect(state.status == .persisted(.status(500)))
  }

  @Test func comicsThatNobodyWaitsForChangeNothing() {
    #expect(after(.arrived(.fresh(comics))).0 == State(hero: hero))
    #expect(after(.failed(lost)).0 == State(hero: hero))
  }

  // MARK: Hire and fire

  private func member(_ isMember: Bool) -> State {
    after(.squadArrived(isMember ? [hero] : [.sample(9)])).0
  }

  @Test func theButtonWaitsUntilTheSquadIsKnown() {
    #expect(after(.tappedButton).1 == [])
    #expect(after(.tappedButton).0.membership == .unknown)
  }

  @Test func aStrangerIsHiredWithOneTap() {
    let (hiring, effects) = after(.tappedButton, from: member(false))
    #expect(effects == [.hire(hero)])
    #expect(after(.tappedButton, from: hiring).1 == [])
    #expect(after(.squadArrived([hero]), from: hiring).0.membership == .member)
  }

  @Test func aMemberIsFiredOnlyWhereThatIsMeant() {
    let (asking, none) = after(.tappedButton, from: member(true))
    #expect(asking.membership == .confirmingFire)
    #expect(none == [])
    let (firing, effects) = after(.confirmedFire, from: asking)
    #expect(effects == [.fire(3)])
    #expect(after(.confirmedFire, from: firing).1 == [])
    #expect(after(.squadArrived([]), from: firing).0.membership == .stranger)
  }

  @Test func whoeverThinksBetterOfItFiresNobody() {
    let (state, effects) = after(.tappedButton, .cancelledFire, .confirmedFire, from: member(true))
    #expect(state.membership == .member)
    #expect(effects == [])
  }

  @Test func whatCouldNotBeSavedHasNotHappened() {
    let hiring = after(.tappedButton, .squadFailed(.unwritable), from: member(false)).0
    #expect(hiring.membership == .stranger)
    #expect(hiring.squadError == .unwritable)
    let firing = after(
      .tappedButton, .confirmedFire, .squadFailed(.unwritable), from: member(true)
    ).0
    #expect(firing.membership == .member)
    // The next try takes the complaint away.
    #expect(after(.tappedButton, from: hiring).0.squadError == nil)
  }

  @Test func aSquadThatCouldNotBeReadIsReadAgainOnRetry() {
    let failed = after(.willAppear, .arrived(.fresh(comics)), .squadFailed(.unreadable)).0
    #expect(failed.membership == .unknown)
    #expect(after(.retry, from: failed).1 == [.loadSquad])
  }
}
