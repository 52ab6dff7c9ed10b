import Foundation
import FoundationNetworking
import HeadlessUI
import SampleSupport
import SquadServer
import Testing

@testable import Squad

/// The whole app in a window, on a real server and in a directory of its own.
@MainActor
final class AppUnderTest {
  let server: HeroServer
  let directory: TemporaryDirectory
  let images: ImageLoader
  let surroundings: Surroundings
  private(set) var app: SquadApp
  let window: Window
  private let session = URLSession.withoutCache(queue: "squad.network")

  init(
    heroes: Int = 45, language: String = "en", care: ImageCare = .full,
    size: Size = Size(width: 48, height: 22)
  ) throws {
    let server = try HeroServer(heroes: heroes)
    self.server = server
    directory = try TemporaryDirectory()
    images = ImageLoader(session)
    surroundings = Surroundings(
      data: DataProvider(
        api: .live(Remote(session, retry: .never), at: server.url),
        persister: Persister(directory: directory.url)),
      images: .live(images), strings: Strings(language), care: care)
    app = SquadApp(surroundings)
    window = Window(size: size, title: "Squad")
  }

  deinit { session.invalidateAndCancel() }

  var list: Store<HeroList> { app.list.store }
  var screen: HeroListView { app.list.screen }
  var detail: HeroDetailController? { app.detail }

  /// Opens the app, and waits for the list and all pictures but those that are held.
  func launch(held: Int = 0) async throws {
    window.rootViewController = app.root
    try await settle(held: held)
  }

  /// Opens the app anew, as after its end: only what is on file is known.
  func relaunch() async throws {
    app = SquadApp(surroundings)
    try await launch()
  }

  /// Waits until nothing is under way any more but pictures that are held, and nothing changes.
  func settle(held: Int = 0) async throws {
    var shown = ""
    // What is shown asks for more: rows for their pictures, the last of them for the next page.
    while shown != window.renderedText() {
      shown = window.renderedText()
      try await eventually { self.isAtRest && self.images.underWay.count == held }
      // The last picture may have been handed to the main queue just now.
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }
  }

  private var isAtRest: Bool {
    list.state.status != .loading && list.state.nextPage != .loading
      && detail?.store.state.status != .loading
      && detail?.store.state.membership.isSettled ?? true
  }

  func open(row: Int) async throws {
    screen.table.selectRow(at: IndexPath(row: row))
    try await settle()
  }

  func hire(row: Int) async throws {
    screen.table.selectRow(at: IndexPath(row: row))
    try await eventually { self.detail?.store.state.membership == .stranger }
    detail?.screen.button.tap()
    try await eventually { self.detail?.store.state.membership == .member }
    try await back()
  }

  func fireMember(at index: Int) async throws {
    screen.strip.tapMember(at: index)
    try await eventually { self.detail?.store.state.membership == .member }
    detail?.screen.button.tap()
    detail?.screen.confirmation.fire.tap()
    try await eventually { self.detail?.store.state.membership == .stranger }
    try await back()
  }

  /// Goes back, and waits for the squad to be shown as it is by now.
  func back() async throws {
    app.navigation.popViewController()
    let squad: Result<[Superhero], PersisterError> = await answer {
      surroundings.data.squad.load($0)
    }
    let members = try squad.get()
    try await eventually { self.list.state.squad == members }
    window.layoutIfNeeded()
  }

  func text() -> String { window.renderedText() }
}

extension HeroDetail.Membership {
  /// Whether nothing is being done about it.
  fileprivate var isSettled: Bool {
    self == .member || self == .stranger || self == .confirmingFire
  }
}

/// Something that should have happened has not.
struct NotEventually: Error {}

/// Lets the main queue go on until something holds; an error where it never does.
@MainActor
func eventually(_ holds: @MainActor () -> Bool) async throws {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(20)
  while !holds() {
    guard clock.now < deadline else { throw NotEventually() }
    try await Task.sleep(for: .milliseconds(1))
  }
}
