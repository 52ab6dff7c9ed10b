/// All about one hero, who may be hired and fired here.
package enum HeroDetail: Feature {
  /// Whether the hero is in the squad, and what is being done about it.
  package enum Membership: Sendable, Hashable {
    /// Nobody has looked yet.
    case unknown
    case stranger
    case member
    case hiring
    /// It was asked whether that is meant.
    case confirmingFire
    case firing
  }

  package struct State: Sendable, Hashable {
    package let hero: Superhero
    package var status = Status.idle
    package var appearances: Appearances?
    package var membership = Membership.unknown
    /// Why the squad could not be read or changed.
    package var squadError: PersisterError?

    package init(hero: Superhero) { self.hero = hero }
  }

  package enum Event: Sendable, Equatable {
    /// The screen is about to be seen.
    case willAppear
    case arrived(Provided<Appearances>)
    case failed(RemoteError)
    case retry
    /// The squad was read or changed, and is so now.
    case squadArrived([Superhero])
    case squadFailed(PersisterError)
    /// The button was tapped that hires or fires.
    case tappedButton
    /// The user has confirmed that the hero is fired.
    case confirmedFire
    /// The hero is to stay after all.
    case cancelledFire
  }

  package enum Effect: Sendable, Equatable {
    case loadAppearances(hero: Superhero.ID)
    case loadSquad
    case hire(Superhero)
    case fire(Superhero.ID)
  }

  package static func reduce(_ state: inout State, on event: Event) -> [Effect] {
    switch event {
    case .willAppear:
      let membership: [Effect] = state.membership == .unknown ? [.loadSquad] : []
      return load(&state, if: state.status == .idle) + membership
    case .retry: return retry(&state)
    case .arrived(let provided):
      guard state.status == .loading else { return [] }
      state.appearances = provided.value
      switch provided {
      case .fresh: state.status = .loaded
      case .persisted(_, let error): state.status = .persisted(error)
      }
    case .failed(let error):
      guard state.status == .loading else { return [] }
      state.status = state.appearances == nil ? .error(error) : .persisted(error)
    case .squadArrived(let squad):
      let isMember = squad.contains { $0.id == state.hero.id }
      state.membership = isMember ? .member : .stranger
      state.squadError = nil
    case .squadFailed(let error): failSquad(error, &state)
    case .tappedButton, .confirmedFire, .cancelledFire: return decide(event, &state)
    }
    return []
  }

  private static func load(_ state: inout State, if isDue: Bool) -> [Effect] {
    guard isDue else { return [] }
    state.status = .loading
    return [.loadAppearances(hero: state.hero.id)]
  }

  private static func retry(_ state: inout State) -> [Effect] {
    let mayHelp =
      switch state.status {
      case .error, .persisted: true
      case .idle, .loading, .loaded: false
      }
    let membership: [Effect] =
      state.membership == .unknown && state.squadError != nil ? [.loadSquad] : []
    return load(&state, if: mayHelp) + membership
  }

  private static func failSquad(_ error: PersisterError, _ state: inout State) {
    state.squadError = error
    // What was not done has changed nothing.
    switch state.membership {
    case .hiring: state.membership = .stranger
    case .firing: state.membership = .member
    case .unknown, .stranger, .member, .confirmingFire: break
    }
  }

  private static func decide(_ event: Event, _ state: inout State) -> [Effect] {
    switch (event, state.membership) {
    case (.tappedButton, .stranger):
      state.membership = .hiring
      state.squadError = nil
      return [.hire(state.hero)]
    case (.tappedButton, .member): state.membership = .confirmingFire
    case (.confirmedFire, .confirmingFire):
      state.membership = .firing
      state.squadError = nil
      return [.fire(state.hero.id)]
    case (.cancelledFire, .confirmingFire): state.membership = .member
    default: break
    }
    return []
  }
}
