import HeadlessUI

/// One hero's screen; shows its store's state, and sends it what happens.
package final class HeroDetailController: ViewController, @unchecked Sendable {
  package let store: Store<HeroDetail>
  package let hero: Superhero
  private let surroundings: Surroundings
  private var shownAppearances: Appearances?
  /// What the screen is made of.
  package private(set) lazy var screen = makeScreen()

  package init(_ hero: Superhero, _ surroundings: Surroundings) {
    self.hero = hero
    self.surroundings = surroundings
    store = Store(
      HeroDetail.State(hero: hero), perform: HeroDetail.perform(with: surroundings.data))
    super.init()
    title = hero.name
  }

  package override func makeView() -> View { screen }

  package override func viewDidLoad() {
    let strings = surroundings.strings
    screen.name.text = hero.name
    screen.about.text = hero.about.isEmpty ? strings(.noAbout) : hero.about
    screen.avatar.show(hero.image, of: hero.name, from: surroundings.images, strings)
    store.observe { [weak self] in self?.show($0) }
  }

  package override func viewWillAppear() { store.send(.willAppear) }

  private func makeScreen() -> HeroDetailView {
    let send = { [weak self] (event: HeroDetail.Event) in { self?.store.send(event) ?? () } }
    return HeroDetailView(
      avatar: AsyncImageView(Size(width: 24, height: 6), care: surroundings.care),
      button: ActionButton("", .accent, onTap: send(.tappedButton)),
      confirmation: FireConfirmation(
        surroundings.strings, of: hero, onFire: send(.confirmedFire),
        onCancel: send(.cancelledFire)),
      notice: Notice(surroundings.strings, onRetry: send(.retry)),
      comics: ComicsView(surroundings))
  }

  // MARK: What the store says

  private func show(_ state: HeroDetail.State) {
    showMembership(state)
    screen.notice.show(notice(state))
    if state.appearances != shownAppearances {
      shownAppearances = state.appearances
      screen.comics.show(state.appearances)
    }
    screen.setNeedsLayout()
  }

  private func showMembership(_ state: HeroDetail.State) {
    let strings = surroundings.strings
    let title: StringKey =
      switch state.membership {
      case .stranger: .hire
      case .member, .confirmingFire: .fire
      case .unknown, .hiring, .firing: .wait
      }
    screen.button.title = strings(title)
    screen.button.isEnabled = state.membership == .stranger || state.membership == .member
    screen.buttonRow.isHidden = state.membership == .confirmingFire
    screen.confirmation.isHidden = state.membership != .confirmingFire
    // Where not even that is known, the notice below says so, and offers to try again.
    let error = state.membership == .unknown ? nil : state.squadError
    screen.squadNotice.text = error.map(strings.text) ?? ""
    screen.squadNotice.isHidden = error == nil
  }

  private func notice(_ state: HeroDetail.State) -> String? {
    let strings = surroundings.strings
    switch state.status {
    case .error(let error): return strings.text(error)
    case .persisted(let error): return strings(.persisted, strings.text(error))
    case .idle, .loading, .loaded:
      guard state.membership == .unknown, let error = state.squadError else { return nil }
      return strings.text(error)
    }
  }
}
