/// The list of heroes, with the squad above it.
package enum HeroList: Feature {
  /// How the next page of the list is coming along.
  package enum NextPage: Sendable, Hashable {
    case idle
    case loading
    case failed(RemoteError)
  }

  package struct State: Sendable, Hashable {
    package var status = Status.idle
    package var heroes: [Superhero] = []
    /// How many there are in all.
    package var total = 0
    /// Where the next page begins: what the server counts, not what is shown.
    package var nextOffset = 0
    package var nextPage = NextPage.idle
    package var squad: [Superhero] = []
    /// Why the squad could not be read.
    package var squadError: PersisterError?
    /// Whose detail is shown, or about to be.
    package var opened: Superhero?

    package init() {}

    /// Whether the list goes on beyond what is shown.
    package var hasMore: Bool { nextOffset < total }
  }

  package enum Event: Sendable, Equatable {
    /// The screen is about to be seen, for the first time or again.
    case willAppear
    /// The list was asked for, or came, from that offset on.
    case arrived(offset: Int, Provided<HeroPage>)
    case failed(offset: Int, RemoteError)
    /// Somebody wants it tried again: the list, or its next page.
    case retry
    /// A row has come into sight.
    case reached(row: Int)
    case squadArrived([Superhero])
    case squadFailed(PersisterError)
    /// A hero was tapped, in the list or in the squad.
    case tapped(Superhero)
    /// The detail is gone.
    case closed
  }

  package enum Effect: Sendable, Equatable {
    case loadPage(offset: Int)
    case loadSquad
    case open(Superhero)
  }

  /// How many rows before the end the next page is asked for.
  static let margin = 5

  package static func reduce(_ state: inout State, on event: Event) -> [Effect] {
    switch event {
    case .willAppear:
      // What is hired or fired elsewhere shows before the screen does.
      return load(&state, from: [.idle]) + [.loadSquad]
    case .retry: return retry(&state)
    case .reached(let row): return reach(row, &state)
    case .arrived(let offset, let provided): arrive(provided, at: offset, &state)
    case .failed(let offset, let error): fail(error, at: offset, &state)
    case .squadArrived(let squad):
      state.squad = squad
      state.squadError = nil
    case .squadFailed(let error): state.squadError = error
    case .tapped(let hero):
      // A second tap while the first one's screen slides in pushes no second screen.
      guard state.opened == nil else { return [] }
      state.opened = hero
      return [.open(hero)]
    case .closed: state.opened = nil
    }
    return []
  }
}

// MARK: Pages

extension HeroList {
  private static func load(_ state: inout State, from statuses: [Status]) -> [Effect] {
    guard statuses.contains(state.status) else { return [] }
    state.status = .loading
    return [.loadPage(offset: 0)]
  }

  private static func retry(_ state: inout State) -> [Effect] {
    if state.squadError != nil { return [.loadSquad] + retryPages(&state) }
    return retryPages(&state)
  }

  private static func retryPages(_ state: inout State) -> [Effect] {
    switch (state.status, state.nextPage) {
    case (_, .failed): return loadNextPage(&state)
    case (_, .loading): return []
    case (.error, _), (.persisted, _): return load(&state, from: [state.status])
    default: return []
    }
  }

  private static func reach(_ row: Int, _ state: inout State) -> [Effect] {
    let isShown = row < state.heroes.count
    guard state.isSettled, state.nextPage == .idle, state.hasMore, isShown,
      row >= state.heroes.count - margin
    else { return [] }
    return loadNextPage(&state)
  }

  private static func loadNextPage(_ state: inout State) -> [Effect] {
    state.nextPage = .loading
    return [.loadPage(offset: state.nextOffset)]
  }

  private static func arrive(
    _ provided: Provided<HeroPage>, at offset: Int, _ state: inout State
  ) {
    guard state.awaits(offset) else { return }
    let page = provided.value
    if state.status == .loading {
      state.heroes = []
    } else {
      state.nextPage = .idle
    }
    // Where heroes were added meanwhile, pages overlap.
    let known = Set(state.heroes.map(\.id))
    state.heroes += page.heroes.filter { !known.contains($0.id) }
    state.nextOffset = offset + page.heroes.count
    // A page of nothing is the end, whatever the total says.
    state.total = page.heroes.isEmpty ? state.nextOffset : page.total
    switch provided {
    case .fresh: if state.status == .loading { state.status = .loaded }
    case .persisted(_, let error): state.status = .persisted(error)
    }
  }

  private static func fail(_ error: RemoteError, at offset: Int, _ state: inout State) {
    guard state.awaits(offset) else { return }
    if state.status == .loading {
      // Whoever refreshes and fails keeps what was there.
      state.status = state.heroes.isEmpty ? .error(error) : .persisted(error)
    } else {
      state.nextPage = .failed(error)
    }
  }
}

extension HeroList.State {
  /// Whether there is something to go on from.
  fileprivate var isSettled: Bool {
    switch status {
    case .loaded, .persisted: true
    case .idle, .loading, .error: false
    }
  }

  /// Whether an answer about that page is what it waits for; others are late.
  fileprivate func awaits(_ offset: Int) -> Bool {
    if status == .loading { return offset == 0 }
    return isSettled && nextPage == .loading && offset == nextOffset
  }
}
