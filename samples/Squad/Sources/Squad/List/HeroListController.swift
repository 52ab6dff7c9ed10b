import Foundation
import HeadlessUI

/// The list of heroes with the squad above it; shows its store's state, and sends it what happens.
package final class HeroListController: ViewController, @unchecked Sendable {
  package let store: Store<HeroList>
  private let surroundings: Surroundings
  private var shown = HeroList.State()
  /// What the screen is made of.
  package private(set) lazy var screen = HeroListView(
    notice: Notice(surroundings.strings) { [weak self] in self?.store.send(.retry) },
    strip: SquadStrip(surroundings) { [weak self] in self?.store.send(.tapped($0)) })

  /// - Parameter open: Shows a hero's detail; called on the main queue.
  package init(_ surroundings: Surroundings, open: @escaping @Sendable (Superhero) -> Void) {
    self.surroundings = surroundings
    store = Store(HeroList.State(), perform: HeroList.perform(with: surroundings.data, open: open))
    super.init()
    title = surroundings.strings(.listTitle)
  }

  package override func makeView() -> View { screen }

  package override func viewDidLoad() {
    screen.table.register(HeroCell.self, forCellReuseIdentifier: "hero")
    screen.table.rowHeight = HeroCell.height
    screen.table.dataSource = self
    screen.table.delegate = self
    store.observe { [weak self] in self?.show($0) }
  }

  package override func viewWillAppear() {
    // Whatever was opened above this is gone, or this would not appear.
    store.send(.closed)
    store.send(.willAppear)
  }

  // MARK: What the store says

  private func show(_ state: HeroList.State) {
    let old = shown
    shown = state
    if old.heroes != state.heroes { showRows(of: state.heroes, after: old.heroes) }
    if old.squad != state.squad { screen.strip.show(state.squad) }
    screen.notice.show(notice(state))
    screen.footer.text = footer(state)
    screen.table.emptyText = state.status == .loading ? surroundings.strings(.loading) : ""
    screen.setNeedsLayout()
  }

  private func showRows(of heroes: [Superhero], after old: [Superhero]) {
    // Another page leaves the rows alone that are there.
    if !old.isEmpty, heroes.starts(with: old) {
      screen.table.insertRows(at: (old.count..<heroes.count).map { IndexPath(row: $0) })
    } else {
      screen.table.reloadData()
    }
  }

  private func notice(_ state: HeroList.State) -> String? {
    let strings = surroundings.strings
    if let error = state.squadError { return strings.text(error) }
    if case .failed(let error) = state.nextPage {
      return strings(.nextPageFailed, strings.text(error))
    }
    switch state.status {
    case .error(let error): return strings.text(error)
    case .persisted(let error): return strings(.persisted, strings.text(error))
    case .idle, .loading, .loaded: return nil
    }
  }

  private func footer(_ state: HeroList.State) -> String {
    if state.nextPage == .loading { return surroundings.strings(.page) }
    let isWhole = !state.heroes.isEmpty && !state.hasMore
    return isWhole ? surroundings.strings(.end, state.heroes.count) : ""
  }
}

extension HeroListController: TableViewDataSource {
  package func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    shown.heroes.count
  }

  package func tableView(
    _ tableView: TableView, cellForRowAt indexPath: IndexPath
  ) -> TableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "hero")
    if let cell = cell as? HeroCell {
      cell.show(shown.heroes[indexPath.row], in: surroundings)
    }
    return cell
  }
}

extension HeroListController: TableViewDelegate {
  package func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
    store.send(.tapped(shown.heroes[indexPath.row]))
  }

  package func tableView(
    _ tableView: TableView, willDisplay cell: TableViewCell, forRowAt indexPath: IndexPath
  ) {
    store.send(.reached(row: indexPath.row))
  }

  package func tableView(
    _ tableView: TableView, didEndDisplaying cell: TableViewCell, forRowAt indexPath: IndexPath
  ) {
    // Nobody sees what it waits for any more.
    if surroundings.care.contains(.cancels) { (cell as? HeroCell)?.prepareForReuse() }
  }
}
